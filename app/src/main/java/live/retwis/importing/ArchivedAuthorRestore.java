package live.retwis.importing;

import java.util.function.Function;

import live.retwis.account.ImportedAccountRegistration;
import live.retwis.archive.ArchiveMarkers;
import live.retwis.archive.ArchivedAuthor;
import live.retwis.archive.ArchivedListRepair;
import live.retwis.archive.ArchivedPostRepository;
import live.retwis.archive.PostArchive;
import live.retwis.redis.Keys;
import live.retwis.redis.RandomTokens;
import live.retwis.redis.TimeSortedIdGenerator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * Brings back the authors of archived posts after Redis has lost its data and there is no
 * backup. Their posts are in the archive, so only the accounts and the boundaries of
 * their lists are made. It can be repeated until it was complete.
 */
@Component
public class ArchivedAuthorRestore {

	/** Passwords are encoded on as many threads. */
	private static final int CONCURRENCY = 4;

	/** Nobody guesses it, and people can type it. */
	private static final int PASSWORD_BITS = 96;

	private final PostArchive archive;

	private final ArchivedPostRepository posts;

	private final ImportedAccountRegistration accounts;

	private final ArchivedListRepair lists;

	private final ArchivedRepostRestore reposts;

	private final ReactiveStringRedisTemplate redis;

	ArchivedAuthorRestore(PostArchive archive, ArchivedPostRepository posts, ImportedAccountRegistration accounts,
			ArchivedListRepair lists, ArchivedRepostRestore reposts, ReactiveStringRedisTemplate redis) {
		this.archive = archive;
		this.posts = posts;
		this.accounts = accounts;
		this.lists = lists;
		this.reposts = reposts;
		this.redis = redis;
	}

	/**
	 * Runs it, and reports each account and what is missing. Fails without an archive.
	 */
	public Flux<String> run() {
		return !this.archive.isUsed()
				? Flux.error(new IllegalStateException(
						"There is no archive. Set retwis.archive.url to the one to restore from."))
				: this.posts.authorAfter("")
					.expand(this.posts::authorAfter)
					.concatMap(this.posts::author, 1)
					.flatMap(this::restore, CONCURRENCY)
					.concatWith(Mono.defer(() -> this.lists.run((id) -> this.accounts.find(id).hasElement()))
						.map((count) -> "Lists of likes and replies that were looked through: " + count))
					.concatWith(
							Mono.defer(this.reposts::run).map((count) -> "Reposts that were looked through: " + count))
					.concatWith(missing())
					.concatWith(Mono.defer(this.archive::restored).then(Mono.empty()));
	}

	/**
	 * The password is reported before it is stored. So whoever breaks this off has the
	 * passwords of all accounts that are back.
	 */
	private Flux<String> restore(ArchivedAuthor author) {
		return this.accounts.find(author.id())
			.map((there) -> Flux.just(author.username() + " is there as " + there.username() + ", with "
					+ author.posts() + " archived posts"))
			.defaultIfEmpty(Flux.defer(() -> create(author)))
			.flatMapMany(Function.identity())
			.concatWith(restorePosts(author).then(Mono.empty()));
	}

	private Flux<String> create(ArchivedAuthor author) {
		String password = RandomTokens.ofBits(PASSWORD_BITS);
		return Flux.concat(Mono.just(author.username() + " comes back. New password: " + password),
				this.accounts.encode(password)
					.flatMap((encoded) -> this.accounts.create(author.id(), (number) -> name(author, number), encoded,
							TimeSortedIdGenerator.millisOf(author.id())))
					.map((user) -> author.username() + " is back as " + user.username() + ", with " + author.posts()
							+ " archived posts"));
	}

	private Mono<Void> restorePosts(ArchivedAuthor author) {
		return this.posts.forgetCountsWithoutLists(author.id())
			.then(boundary(Keys.postsOf(author.id()), author.posts(), author.newest()))
			.then((author.pulled() == 0) ? Mono.empty()
					: boundary(Keys.pulledOf(author.id()), author.pulled(), author.newestPulled())
						.then(this.redis.opsForZSet().add(Keys.PULLED_AUTHORS, author.id(), author.newestPulled()))
						.then());
	}

	/** The name that the author had, or with a number if somebody else has it now. */
	private static String name(ArchivedAuthor author, int number) {
		return (number == 1) ? author.username() : author.username() + "_" + number;
	}

	/** ZADD, unless the list has a boundary. */
	private Mono<Void> boundary(String key, long posts, long newest) {
		return this.redis.opsForZSet()
			.score(key, ArchiveMarkers.MARK)
			.hasElement()
			.flatMap((there) -> there ? Mono.empty()
					: this.redis.opsForZSet()
						.add(key, ArchiveMarkers.COUNT, posts)
						.then(this.redis.opsForZSet().add(key, ArchiveMarkers.MARK, newest))
						.then());
	}

	private static Flux<String> missing() {
		return Flux.just("Not in the archive, and lost: posts that had not moved there, users without archived posts,",
				"passwords, profiles, pictures, sessions, follows, bookmarks, mutes and blocks, mentions,",
				"notifications, reports of posts, the log of moderation, the lists of tags, the public timeline, and of",
				"archived posts the lists of likes and replies that were used in the last hour or have more than 10,000",
				"members. Likes that were taken back in the last hour count again.",
				"Posts and accounts that were deleted in the last minutes may be back.",
				"Users who were suspended are active again. Suspend them before they log in.",
				"If registration was closed, close it again.",
				"Give the users above their new passwords, and start the instances.");
	}

}
