package live.retwis.doctor;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import live.retwis.doctor.StoreReader.Member;
import live.retwis.redis.Keys;
import live.retwis.redis.TimeSortedIdGenerator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * What Redis says of the archive of old posts. Checks that the archive answers, and that
 * each post noted as deleted is deleted.
 */
@Component
class ArchiveRules implements RuleSet {

	/** After this time another instance moves posts. */
	private static final Duration TURN = Duration.ofMinutes(2);

	/** How long it is known what was fetched from the archive. */
	private static final Duration FETCHED = Duration.ofMinutes(10);

	private static final Pattern SLOT = Pattern.compile("\\d{1,5}");

	private static final Pattern LIST = Pattern.compile("(?:likes|replies):([0-9A-Z]{13})");

	private static final Pattern LIST_IN_USE = Pattern.compile("\\{" + LIST + "\\}");

	private final ArchiveReader archive;

	private final StoreReader store;

	private final ListChecks lists;

	private final ArchivedPostRules posts;

	ArchiveRules(ArchiveReader archive, StoreReader store, ListChecks lists, ArchivedPostRules posts) {
		this.archive = archive;
		this.store = store;
		this.lists = lists;
		this.posts = posts;
	}

	@Override
	public List<KeySchema> keySchemas() {
		return List.of(KeySchema.single(Keys.ARCHIVE_SITE, "string", (rest) -> site()),
				new KeySchema(Keys.ARCHIVE_MOVER, String::isEmpty, "string", TURN, (rest) -> Flux.empty()),
				KeySchema.single(Keys.ARCHIVE_DELETED, "zset",
						(rest) -> this.lists.members(Keys.ARCHIVE_DELETED, this::deleted)),
				KeySchema.single(Keys.ARCHIVE_CLOSED, "zset",
						(rest) -> this.lists.members(Keys.ARCHIVE_CLOSED, this::closed)),
				KeySchema.single(Keys.ARCHIVE_COUNTS, "zset", (rest) -> Flux.empty()),
				KeySchema.single(Keys.ARCHIVE_UNINDEXED, "zset", (rest) -> Flux.empty()),
				KeySchema.single(Keys.ARCHIVE_INDEXED, "string", (rest) -> Flux.empty()),
				KeySchema.single(Keys.ARCHIVE_TAGS, "zset", (rest) -> Flux.empty()),
				new KeySchema(ArchiveReader.INDEXED, TimeSortedIdGenerator::isValid, null, this::indexed),
				KeySchema.single(Keys.ARCHIVE_LISTS, "zset", (rest) -> Flux.empty()),
				new KeySchema("in-use:", LIST_IN_USE.asMatchPredicate(), "string", this::inUse),
				new KeySchema(ArchiveReader.LIST, LIST.asMatchPredicate(), null, this::archivedList),
				new KeySchema(Keys.ARCHIVED, SLOT.asMatchPredicate(), "string", FETCHED, (rest) -> Flux.empty()),
				new KeySchema(ArchiveReader.POSTS_OF, TimeSortedIdGenerator::isValid, null, this.posts::of));
	}

	/** Without the archive nobody knows which posts exist. */
	private Flux<Finding> site() {
		if (!this.archive.isUsed()) {
			return Flux.just(Finding.byHand(Keys.ARCHIVE_SITE,
					"old posts are in an archive, but retwis.archive.url is not set, so they are not checked",
					"give this command the settings of the instances"));
		}
		return this.archive.answers()
			.flatMapMany((answers) -> answers ? Flux.empty()
					: Flux.just(Finding.byHand(Keys.ARCHIVE_SITE,
							"the archive of old posts does not answer, so its posts are not checked",
							"start its database and run this command again")));
	}

	private Mono<Finding> deleted(Member member) {
		return this.store.fields(Keys.post(member.value()), "author", "deleted")
			.filter((post) -> !post.isEmpty() && !post.containsKey("deleted"))
			.map((post) -> this.lists.wrong(Keys.ARCHIVE_DELETED, member,
					"holds post " + member.value() + ", which is not deleted"));
	}

	private Mono<Finding> closed(Member member) {
		return this.store.isUser(member.value())
			.filter(Boolean::booleanValue)
			.map((there) -> this.lists.wrong(Keys.ARCHIVE_CLOSED, member,
					"holds user " + member.value() + ", whose account is not deleted"));
	}

	/** A list that is not noted would stay in Redis for ever. */
	private Flux<Finding> inUse(String rest) {
		String list = rest.substring(1, rest.length() - 1);
		return this.lists.noted(Keys.listInUse(list), list).flux();
	}

	private Flux<Finding> indexed(String post) {
		return ofLost(post, ArchiveReader.INDEXED + post, "its tags and words");
	}

	private Flux<Finding> archivedList(String name) {
		return ofLost(name.substring(name.indexOf(':') + 1), ArchiveReader.LIST + name, "the list");
	}

	/**
	 * A backup may have a post that does not exist. Nobody would write again what the
	 * archive has of it. What it has of a deleted post goes with the post.
	 */
	private Flux<Finding> ofLost(String post, String key, String what) {
		return this.store.postExists(post)
			.filter((there) -> !there)
			.flatMap((missing) -> this.store.score(Keys.ARCHIVE_DELETED, post))
			.filter(Optional::isEmpty)
			.map((lost) -> Finding.byHand(key, "its post does not exist",
					"restore the post or delete " + what + " in the database by hand"))
			.flux();
	}

}
