package live.retwis.xray;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

import live.retwis.follow.FollowerListRepository;
import live.retwis.follow.FollowerShards;
import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.log.LogPosition;
import live.retwis.redis.DataNodeCommands;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.timeline.TimelineProperties;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.function.TupleUtils;

/**
 * The way of a post from its commit to the timelines of its author's followers: its entry
 * in the log, the message to all instances, and in how many timelines it stands by now.
 */
@ConditionalOnXray
class PostJourney {

	private static final LuaScript WAY = LuaScript.named("way-of-post");

	/** Consumer group of the workers. */
	private static final String GROUP = "fanout";

	/** Followers whose timelines are looked at, the first and the last of each shard. */
	private static final int MOST = 200;

	/** Shards of followers that are looked at. */
	private static final int MOST_SHARDS = 20;

	private static final int CONCURRENCY = 100;

	/** Texts in the script's answer before the fields of the entry. */
	private static final int HEAD = 6;

	private final DataNodeCommands data;

	private final FollowerListRepository followers;

	private final PostJourneyRecorder trail;

	private final TimelineProperties properties;

	PostJourney(DataNodeCommands data, FollowerListRepository followers, PostJourneyRecorder trail,
			TimelineProperties properties) {
		this.data = data;
		this.followers = followers;
		this.trail = trail;
		this.properties = properties;
	}

	/** What has happened to a post so far; empty when there is no such post. */
	Mono<View> of(String postId) {
		return this.data.hmget(Keys.post(postId), "author")
			.flatMap((fields) -> Mono.justOrEmpty(fields.get("author")))
			.flatMap((author) -> this.data.zmscore(Keys.postsOf(author), List.of(postId))
				.flatMap((scores) -> Mono.justOrEmpty(scores.get(0)))
				.flatMap((commit) -> of(postId, author, commit.longValue()))
				.defaultIfEmpty(View.only(Message.of("xray.way-unlisted"), true)))
			.defaultIfEmpty(View.only(Message.of("xray.way-archived"), false));
	}

	private Mono<View> of(String postId, String author, long commit) {
		return Mono
			.zip(entry(postId, commit).singleOptional(), this.followers.shards(author), this.followers.count(author),
					this.trail.of(postId))
			.flatMap(
					TupleUtils.function((entry, shards, followers, trail) -> reached(postId, shards, entry.orElse(null))
						.map((reached) -> view(entry.orElse(null), followers, reached, steps(trail, shards, commit)))));
	}

	/** Who did what, and how many ms after the commit. */
	private static List<Localized> steps(List<PostJourneyRecorder.Mark> trail, FollowerShards shards, long commit) {
		return trail.stream().map((mark) -> {
			String instance = mark.instance();
			// The clock of an instance is an estimate of the data node's.
			long after = Math.max(0, mark.millis() - commit);
			return switch (mark.step()) {
				case HEARD -> Message.of("xray.way-heard", instance, after);
				case PROCESSED -> Message.of("xray.way-processed", instance, after);
				case TASK -> Message.of("xray.way-task", instance, shards.keyAt(mark.from()), after);
			};
		}).map(Localized.class::cast).toList();
	}

	/**
	 * {@code way-of-post.lua}: the entry of a post in the log; empty when the log has it
	 * no more.
	 * @param commit ms of the commit
	 */
	Mono<Entry> entry(String postId, long commit) {
		return this.data
			.run(WAY, List.of(Keys.LOG, Keys.UNFINISHED, Keys.POSTPONED_BY_COMMIT, Keys.DEAD_LETTERS),
					Long.toString(commit), postId, GROUP)
			.filter((answer) -> !answer.isEmpty())
			.map(Entry::of);
	}

	/**
	 * For each shard of followers how many of them have a post that is pushed to them.
	 */
	private Mono<List<ShardView>> reached(String postId, FollowerShards shards, @Nullable Entry entry) {
		if (entry != null && entry.isPulled()) {
			return Mono.just(List.of());
		}
		int shown = Math.min(shards.last() + 1, MOST_SHARDS);
		return Flux.range(0, shown)
			.concatMap((number) -> reached(postId, shards, number, atEachEnd(shown)))
			.collectList();
	}

	private static int atEachEnd(int shards) {
		return MOST / 2 / Math.max(1, shards);
	}

	private Mono<ShardView> reached(String postId, FollowerShards shards, int number, int atEachEnd) {
		return this.followers.ends(shards, number, atEachEnd)
			.flatMapIterable(Function.identity())
			.flatMap((follower) -> reached(postId, Keys.homeTimeline(follower)), CONCURRENCY)
			.collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
			.map((counts) -> new ShardView(shards.key(number), counts.getOrDefault(Reached.YES, 0L),
					counts.getOrDefault(Reached.NOT_YET, 0L), counts.getOrDefault(Reached.NO_TIMELINE, 0L)));
	}

	/** A follower who was away for long has no timeline. The next visit makes one. */
	private Mono<Reached> reached(String postId, String timeline) {
		return this.data.zmscore(timeline, List.of(postId))
			.flatMap((scores) -> (scores.get(0) != null) ? Mono.just(Reached.YES)
					: this.data.zcard(timeline).map((posts) -> (posts > 0) ? Reached.NOT_YET : Reached.NO_TIMELINE));
	}

	private View view(@Nullable Entry entry, long followers, List<ShardView> shards, List<Localized> steps) {
		boolean pulled = entry != null && entry.isPulled();
		Localized decision = (entry == null) ? Message.of("xray.way-gone")
				: pulled ? Message.of("xray.way-pulled", followers, this.properties.pushLimit())
						: Message.of("xray.way-pushed", followers, this.properties.pushLimit());
		boolean looked = shards.stream().mapToLong(ShardView::looked).sum() >= followers;
		return new View(entry, decision, (entry != null) ? entry.state() : null, entry != null && !entry.isDone(),
				steps, shards,
				(looked || pulled) ? null : Message.of("xray.way-ends", shards.size(), atEachEnd(shards.size())));
	}

	/**
	 * What the page shows.
	 *
	 * @param entry the entry; null when the log has it no more
	 * @param decision whether the post is pushed or pulled, and why; else why that cannot
	 * be told
	 * @param state how far the workers are; null without an entry
	 * @param unfinished whether more is to come
	 * @param steps which instance did what; empty when that is forgotten
	 * @param shards the author's followers; empty for a post that they pull
	 * @param bound says that not all followers were looked at; null when all were
	 */
	record View(@Nullable Entry entry, Localized decision, @Nullable Localized state, boolean unfinished,
			List<Localized> steps, List<ShardView> shards, @Nullable Localized bound) {

		private static View only(Localized text, boolean unfinished) {
			return new View(null, text, null, unfinished, List.of(), List.of(), null);
		}

	}

	/** Whether a follower has the post. */
	private enum Reached {

		YES, NOT_YET, NO_TIMELINE

	}

	/**
	 * A shard of followers.
	 *
	 * @param key its key
	 * @param reached followers who have the post in their timeline
	 * @param waiting followers whose timeline does not have it
	 * @param without followers without a timeline
	 */
	record ShardView(String key, long reached, long waiting, long without) {

		long looked() {
			return timelines() + this.without;
		}

		private long timelines() {
			return this.reached + this.waiting;
		}

		/** In how many timelines the post is, for people. */
		Localized reach() {
			return Message.of("xray.way-shard", this.reached, timelines(), this.without);
		}

	}

	/**
	 * The entry of a post in the log.
	 *
	 * @param id its id
	 * @param before id and nonce of the entry before
	 * @param taken id of the last entry that a worker has taken
	 * @param pending whether a worker is at work on it
	 * @param tasks unfinished tasks of its millisecond
	 * @param dead whether the workers have put it aside, because it cannot be processed
	 * @param fields its fields in their order
	 */
	record Entry(String id, String before, String taken, boolean pending, long tasks, boolean dead,
			List<FieldView> fields) {

		static Entry of(List<String> answer) {
			List<FieldView> fields = new ArrayList<>();
			for (int i = HEAD; i + 1 < answer.size(); i += 2) {
				fields.add(new FieldView(answer.get(i), answer.get(i + 1)));
			}
			return new Entry(answer.get(0), answer.get(1), answer.get(2), answer.get(3).equals("1"),
					Long.parseLong(answer.get(4)), answer.get(5).equals("1"), fields);
		}

		/** Id of the post. */
		String post() {
			return value("post");
		}

		/** Whether it is a repost, which has no page of its own. */
		boolean repost() {
			return value("facts").startsWith("=");
		}

		private String value(String field) {
			return this.fields.stream()
				.filter((one) -> one.field().equals(field))
				.map(FieldView::value)
				.findFirst()
				.orElse("");
		}

		boolean isPulled() {
			return value("pulled").equals("1");
		}

		/** How {@code publish.lua} has told all instances. */
		String message() {
			return "PUBLISH " + Keys.BUS + " " + this.before + " " + this.id + " "
					+ this.fields.stream()
						.map((field) -> field.field() + " " + field.value())
						.collect(Collectors.joining(" "));
		}

		private boolean isTaken() {
			return LogPosition.of(this.taken, "").compareTo(LogPosition.of(this.id, "")) >= 0;
		}

		boolean isDone() {
			return this.dead || (isTaken() && !this.pending && this.tasks == 0);
		}

		Localized state() {
			if (!isTaken()) {
				return Message.of("xray.way-waits");
			}
			if (this.dead) {
				return Message.of("xray.way-dead");
			}
			return (this.tasks > 0) ? Message.of("xray.way-tasks", this.tasks)
					: this.pending ? Message.of("xray.way-begun") : Message.of("xray.way-done");
		}

	}

	/** A field with its value. */
	record FieldView(String field, String value) {
	}

}
