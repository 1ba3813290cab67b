package live.retwis.importing;

import live.retwis.delivery.ImportedPostDelivery;
import live.retwis.timeline.TimelineProperties;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.stereotype.Component;

/** Imports the data of the PHP Retwis. */
@Component
public class RetwisImport {

	private static final int CONCURRENCY = 64;

	/** Items between two lines of progress. */
	private static final long PROGRESS = 20_000;

	private final UserImport userImport;

	private final FollowImport followImport;

	private final PostImport postImport;

	private final ImportedPostDelivery lists;

	private final LettuceConnectionFactory target;

	private final TimelineProperties properties;

	RetwisImport(UserImport userImport, FollowImport followImport, PostImport postImport, ImportedPostDelivery lists,
			LettuceConnectionFactory target, TimelineProperties properties) {
		this.userImport = userImport;
		this.followImport = followImport;
		this.postImport = postImport;
		this.lists = lists;
		this.target = target;
		this.properties = properties;
	}

	/**
	 * Imports everything that can be read. When it broke off, the next run finishes it.
	 * @param from {@code redis://[:password@]host:port/db}
	 * @return lines that say what was skipped and why, and report progress; an error,
	 * before anything is written, when there is nothing to import
	 */
	public Flux<String> run(String from) {
		return run(from, PROGRESS);
	}

	/**
	 * The same.
	 * @param progress items between two lines of progress
	 */
	Flux<String> run(String from, long progress) {
		return Flux.using(() -> RetwisSource.open(from),
				(source) -> checkOther(source).then(checkArchive())
					.then(source.layout())
					.flatMapMany((layout) -> run(layout, new ImportCounts(progress)))
					.publishOn(Schedulers.boundedElastic()),
				RetwisSource::close);
	}

	private Mono<Void> checkOther(RetwisSource source) {
		return source.is(this.target)
			.flatMap((same) -> same
					? Mono.error(new RetwisSource.NotReadableException(
							"This is the database of the site itself. Name the one of the PHP Retwis."))
					: Mono.empty());
	}

	/** Otherwise archived posts would be imported once more. */
	private Mono<Void> checkArchive() {
		return this.lists.isArchiveUnnamed()
			.flatMap((unnamed) -> unnamed ? Mono.error(new IllegalStateException(
					"Old posts are in an archive, but retwis.archive.url is not set. Give this command the settings of the "
							+ "instances."))
					: Mono.empty());
	}

	private Flux<String> run(RetwisLayout layout, ImportCounts counts) {
		return layout.given()
			.flatMapMany(
					(given) -> ImportedUserIndex.of(layout).flatMapMany((users) -> run(layout, given, users, counts)));
	}

	private Flux<String> run(RetwisLayout layout, HighestSourceNumbers given, ImportedUserIndex users,
			ImportCounts counts) {
		NewestPosts newest = new NewestPosts(this.properties.publicSize());
		return Flux.concat(Flux.just("Retwis in the layout of " + layout.year()),
				this.userImport.run(layout, given.users(), users, counts),
				this.followImport.run(layout, given.users(), users, counts),
				this.postImport.run(layout, given.posts(), users, newest, counts),
				forgetHomes(users).thenMany(counts.summary()));
	}

	/** Home timelines that were built meanwhile may lack posts. */
	private Mono<Void> forgetHomes(ImportedUserIndex users) {
		return users.imported().map(ImportedUserIndex::idOf).flatMap(this.lists::forgetHome, CONCURRENCY).then();
	}

}
