package live.retwis.post;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.archive.ArchiveAwayException;
import live.retwis.archive.ArchiveProperties;
import live.retwis.archive.ArchivedPost;
import live.retwis.archive.PageTimeLimit;
import live.retwis.archive.PostArchive;
import live.retwis.redis.ConfirmedWrites;
import live.retwis.redis.DataNodeCommands;
import live.retwis.redis.DeadlineScriptRunner;
import live.retwis.redis.HashFields;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.RedisErrorClassifier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * Posts: {@code post:{id}}. Old ones are in the archive, which is asked for what Redis
 * does not have. Pages read posts by {@link RenderedPosts}.
 * <p>
 * Something else may have written to a post's key. Such a post cannot be read, and
 * nothing is known of it. Only {@link #read} fails then, so that it is noticed. Whoever
 * comes upon it beside other posts goes on with these.
 */
@Repository
public class PostRepository implements PostCleanup {

	private static final LuaScript DISCARD = LuaScript.named("discard-hash");

	private static final LuaScript CREATE = LuaScript.named("create-hash");

	private static final LuaScript DELETE = LuaScript.named("delete-post");

	private static final LuaScript DELETE_ARCHIVED = LuaScript.named("delete-archived");

	private static final LuaScript SET_COUNT = LuaScript.withDeadline("set-count");

	private static final LuaScript FORGET = LuaScript.named("forget-post");

	private static final String[] FIELDS = Stream
		.concat(Stream.of("author", "username", "created", "body", "reply_to", "reply_username", "repost_of",
				"deleted"), EngagementCounts.fields().stream())
		.toArray(String[]::new);

	private final DataNodeCommands data;

	private final ReactiveStringRedisTemplate redis;

	private final ConfirmedWrites confirmed;

	private final PostArchive archive;

	private final DeadlineScriptRunner deadlines;

	PostRepository(DataNodeCommands data, ReactiveStringRedisTemplate redis, ConfirmedWrites confirmed,
			PostArchive archive, DeadlineScriptRunner deadlines) {
		this.data = data;
		this.redis = redis;
		this.confirmed = confirmed;
		this.archive = archive;
		this.deadlines = deadlines;
	}

	/**
	 * {@code create-hash.lua}: stores a post that nothing refers to yet.
	 * @return false when another post has the id, or the post was deleted
	 */
	public Mono<Boolean> create(Post post) {
		List<String> fields = new ArrayList<>(List.of("author", post.authorId(), "created",
				Long.toString(post.created()), "body", post.body(), "username", post.author()));
		if (post.replyTo() != null && post.replyAuthor() != null) {
			fields.addAll(List.of("reply_to", post.replyTo(), "reply_username", post.replyAuthor()));
		}
		if (post.repostOf() != null) {
			fields.addAll(List.of("repost_of", post.repostOf()));
		}
		return this.confirmed.run(CREATE, List.of(Keys.post(post.id())), fields.toArray(String[]::new))
			.map((answer) -> answer.get(0).equals("1"));
	}

	/**
	 * {@code discard-hash.lua}: removes a post that nothing refers to. A deleted one was
	 * published, so it stays.
	 * @param authorId a post of somebody else with this id stays
	 */
	Mono<Void> discard(String postId, String authorId) {
		return DISCARD.run(this.redis, List.of(Keys.post(postId)), "", "author", authorId, "deleted", "").then();
	}

	/**
	 * {@code delete-post.lua}: marks a post as deleted and removes its text. Of a post
	 * that only the archive has, {@code delete-archived.lua} stores what is left of it.
	 * @param mark identifies the request, so that a repeated request is recognised
	 */
	Mono<Deletion> delete(String postId, String userId, String mark) {
		return deleteStored(postId, userId, mark)
			.flatMap((deletion) -> (deletion != Deletion.GONE) ? Mono.just(deletion) : this.archive.find(postId)
				.flatMap(
						(post) -> post.author().equals(userId) ? deleteArchived(post, mark) : Mono.just(Deletion.OTHER))
				.defaultIfEmpty(Deletion.GONE));
	}

	private Mono<Deletion> deleteStored(String postId, String userId, String mark) {
		return this.redis.<String, String>opsForHash()
			.get(Keys.post(postId), "body")
			.onErrorResume(RedisErrorClassifier::isWrongType, (wrong) -> Mono.empty())
			.map(DeletedPost::links)
			.defaultIfEmpty("")
			.flatMap((links) -> DELETE.run(this.redis, List.of(Keys.post(postId)), userId, mark, links))
			.map((answer) -> Deletion.valueOf(answer.get(0).toUpperCase(Locale.ROOT)));
	}

	private Mono<Deletion> deleteArchived(ArchivedPost post, String mark) {
		List<String> left = new ArrayList<>(List.of("deleted", mark, "archived", "1"));
		String links = DeletedPost.links(post.fields().getOrDefault("body", ""));
		if (!links.isEmpty()) {
			left.addAll(List.of(DeletedPost.LINKS, links));
		}
		for (String field : List.of("author", "created", "reply_to", "repost_of")) {
			String value = post.fields().get(field);
			if (value != null) {
				left.addAll(List.of(field, value));
			}
		}
		return DELETE_ARCHIVED.run(this.redis, List.of(Keys.post(post.id())), left.toArray(String[]::new))
			.flatMap((answer) -> answer.get(0).equals("1") ? Mono.just(Deletion.DONE)
					: deleteStored(post.id(), post.author(), mark));
	}

	/**
	 * {@code forget-post.lua}: lets a deleted post expire. If the archive may have the
	 * post, it expires after the archive has deleted it. It may have any old one. That
	 * holds also where no setting names the archive.
	 */
	@Override
	public Mono<Void> forget(String postId, Duration after) {
		return this.archive.exists().flatMap((exists) -> forget(postId, after, exists));
	}

	private Mono<Void> forget(String postId, Duration after, boolean archive) {
		String movable = archive ? Long.toString(ArchiveProperties.YOUNGEST.toMillis()) : "";
		return FORGET.run(this.redis, List.of(Keys.post(postId)), Long.toString(after.toSeconds()), movable)
			.map((answer) -> answer.get(0))
			.filter((answer) -> answer.equals("archived") || (answer.equals("unknown") && archive))
			.flatMap((mayHaveIt) -> this.archive.deleted(postId));
	}

	/**
	 * {@code set-count.lua}: stores one count of a post.
	 * @return all counts of the post; empty when it does not exist, cannot be read, or is
	 * deleted, or when it is in the archive and the archive is away. Then its counts are
	 * stored later
	 */
	Mono<Counted> setCount(String postId, PostCountType what, long count) {
		List<String> args = new ArrayList<>(List.of(what.field(), Long.toString(count)));
		args.addAll(EngagementCounts.fields());
		return this.deadlines.run(SET_COUNT, List.of(Keys.post(postId)), args.toArray(String[]::new))
			.flatMap((answer) -> answer.isEmpty() ? countArchived(postId, what, count)
					: Mono.just(new Counted(answer.get(0), EngagementCounts
						.of(HashFields.named(EngagementCounts.fields(), answer.subList(1, answer.size()))))));
	}

	private Mono<Counted> countArchived(String postId, PostCountType what, long count) {
		return this.archive.setCount(postId, what.field(), count).map(Counted::of);
	}

	/**
	 * HMGET: the ids of the posts that this post replies to or reposts, even if it is
	 * deleted.
	 */
	Flux<String> related(String postId) {
		return known(postId, "author", "reply_to", "repost_of")
			.flatMapMany((fields) -> Flux.just("reply_to", "repost_of").mapNotNull(fields::get));
	}

	/**
	 * HMGET: what a repost is, even if it is deleted. Empty when the post is not a
	 * repost, and when only the archive has it, which is away.
	 */
	public Mono<Repost> findRepost(String postId) {
		return known(postId, "author", "repost_of").onErrorComplete(ArchiveAwayException.class)
			.filter((fields) -> fields.containsKey("repost_of"))
			.map((fields) -> new Repost(fields.getOrDefault("author", ""), fields.get("repost_of")));
	}

	/**
	 * HMGET: what a deleted post was about; empty when nothing is left of it in Redis.
	 */
	public Mono<DeletedPost> findDeleted(String postId) {
		return HashFields.read(this.redis, Keys.post(postId), "author", "reply_to", DeletedPost.LINKS)
			.onErrorResume(RedisErrorClassifier::isWrongType, (wrong) -> Mono.empty())
			.filter((fields) -> fields.containsKey("author"))
			.map(DeletedPost::of);
	}

	/** HMGET: user id of the post's author, even if the post is deleted. */
	public Mono<String> authorOf(String postId) {
		return known(postId, "author").map((fields) -> fields.get("author"));
	}

	/**
	 * HMGET: whether the post exists and is not deleted. A post that cannot be read
	 * counts as there, and so does one that Redis does not have while the archive is
	 * away.
	 */
	public Mono<Boolean> isThere(String postId) {
		return fields(postId, "author", "deleted").map((fields) -> !fields.containsKey("deleted"))
			.defaultIfEmpty(false)
			.onErrorResume((error) -> error instanceof ArchiveAwayException || RedisErrorClassifier.isWrongType(error),
					(unknown) -> Mono.just(true));
	}

	/** {@link #fields}; empty also when the post cannot be read. */
	private Mono<Map<String, String>> known(String postId, String... names) {
		return fields(postId, names).onErrorResume(RedisErrorClassifier::isWrongType, (wrong) -> Mono.empty());
	}

	/**
	 * HMGET, with the author among the names. Empty when neither Redis nor the archive
	 * has the post.
	 */
	private Mono<Map<String, String>> fields(String postId, String... names) {
		return HashFields.read(this.redis, Keys.post(postId), names)
			.filter((fields) -> fields.containsKey("author"))
			.switchIfEmpty(this.archive.find(postId).map(ArchivedPost::fields));
	}

	/** HMGET {@code post:{id}}; empty when the post never existed. */
	Mono<StoredPost> read(String postId) {
		return read(postId, stored(postId), this.archive.find(postId));
	}

	/** HMGET; empty when Redis does not have the post. */
	private Mono<Map<String, String>> stored(String postId) {
		return this.data.hmget(Keys.post(postId), FIELDS).filter((fields) -> fields.containsKey("author"));
	}

	private static Mono<StoredPost> read(String postId, Mono<Map<String, String>> stored, Mono<ArchivedPost> archived) {
		return stored.switchIfEmpty(archived.map(ArchivedPost::fields))
			.filter((fields) -> fields.containsKey("body") || fields.containsKey("deleted"))
			.map((fields) -> new StoredPost(fields.containsKey("deleted") ? null : post(postId, fields),
					fields.get("reply_to"), EngagementCounts.of(fields)));
	}

	/**
	 * Reading that others wait for, too, within {@link PageTimeLimit}. Without an archive
	 * there is no such limit: Redis has its own.
	 */
	<T> Mono<T> withinPageTime(Mono<T> reading) {
		return this.archive.isUsed() ? PageTimeLimit.withinShared(reading) : reading;
	}

	/** Posts that are read together. */
	Batch batch() {
		return new Batch();
	}

	/** A field that every post has and this one lacks makes it unreadable. */
	private static Post post(String postId, Map<String, String> fields) {
		return new Post(postId, Objects.requireNonNull(fields.get("author"), "author"),
				Objects.requireNonNull(fields.get("username"), "username"), Long.parseLong(fields.get("created")),
				Objects.requireNonNull(fields.get("body"), "body"), fields.get("reply_to"),
				fields.get("reply_username"), fields.get("repost_of"));
	}

	/**
	 * Posts that are read together. Each is read in Redis at once. The archive is asked
	 * for those that Redis does not have when Redis has answered for all, so it is asked
	 * once.
	 */
	final class Batch {

		private final Map<String, Mono<Map<String, String>>> inRedis = new HashMap<>();

		private final Sinks.Empty<Void> complete = Sinks.empty();

		private volatile boolean archiveAsked;

		private final Mono<Map<String, ArchivedPost>> archived = this.complete.asMono()
			.thenMany(Flux.defer(() -> Flux.fromIterable(this.inRedis.entrySet())))
			.flatMap((post) -> post.getValue()
				.hasElement()
				.onErrorReturn(true)
				.filter((there) -> !there)
				.map((missing) -> post.getKey()), Integer.MAX_VALUE)
			.collect(Collectors.toSet())
			.doOnNext((missing) -> this.archiveAsked = PostRepository.this.archive.isUsed() && !missing.isEmpty())
			.flatMap(PostRepository.this.archive::findAll)
			.cache();

		/** {@link PostRepository#read}. */
		Mono<StoredPost> read(String postId) {
			Mono<Map<String, String>> stored = stored(postId).cache();
			this.inRedis.put(postId, stored);
			return PostRepository.read(postId, stored,
					this.archived.flatMap((found) -> Mono.justOrEmpty(found.get(postId))));
		}

		/** No more posts come. Until then none is looked for in the archive. */
		void complete() {
			this.complete.tryEmitEmpty();
		}

		/** Tells the page whether the archive was asked. */
		Mono<Void> tellPage() {
			return this.archiveAsked ? PageTimeLimit.noteQuestion() : Mono.empty();
		}

	}

	/**
	 * A post as it is stored.
	 *
	 * @param post the post; null when it is deleted
	 * @param replyTo id of the post that it replies to, which is known of a deleted post,
	 * too; null for none
	 * @param counts its counts
	 */
	record StoredPost(@Nullable Post post, @Nullable String replyTo, EngagementCounts counts) {
	}

	/**
	 * The counts of a post.
	 *
	 * @param authorId user id of the post's author
	 * @param counts all counts
	 */
	record Counted(String authorId, EngagementCounts counts) {

		static Counted of(ArchivedPost post) {
			return new Counted(post.author(), EngagementCounts.of(post.fields()));
		}

	}

	/**
	 * A repost.
	 *
	 * @param userId id of the user who reposts
	 * @param original id of the post that it shows
	 */
	public record Repost(String userId, String original) {
	}

	/** Results of a request to delete a post. */
	public enum Deletion {

		/** The post is deleted now. */
		DONE,
		/** The post was deleted before. */
		BEFORE,
		/** The post belongs to another user. */
		OTHER,
		/** There is no such post. */
		GONE

	}

}
