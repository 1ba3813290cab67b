package live.retwis.xray;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import live.retwis.follow.FollowerListRepository;
import live.retwis.follow.FollowerShards;
import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.log.Position;
import live.retwis.redis.Cursor;
import live.retwis.redis.DataNode;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.timeline.TimelineProperties;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The way of a post from its commit to the timelines of its author's followers: its entry
 * in the log, the message to all instances, and in how many timelines it stands by now.
 */
@ConditionalOnXray
class PostJourney {

	private static final LuaScript WAY = LuaScript.named("way-of-post");

	/** Consumer group of the workers. */
	private static final String GROUP = "fanout";

	/** Followers whose timelines are looked at, the earliest first. */
	private static final int MOST = 200;

	private static final int CONCURRENCY = 100;

	/** Texts in the script's answer before the fields of the entry. */
	private static final int HEAD = 5;

	private final DataNode data;

	private final FollowerListRepository followers;

	private final PostJourneyRecorder trail;

	private final TimelineProperties properties;

	PostJourney(DataNode data, FollowerListRepository followers, PostJourneyRecorder trail,
			TimelineProperties properties) {
		this.data = data;
		this.followers = followers;
		this.trail = trail;
		this.properties = properties;
	}

	/**
	 * The way of a post as far as it is; empty when the post does not exist or was never
	 * committed.
	 */
	Mono<View> of(String postId) {
		return this.data.hmget(Keys.post(postId), "author")
			.flatMap((fields) -> Mono.justOrEmpty(fields.get(0)))
			.flatMap((author) -> this.data.zmscore(Keys.postsOf(author), List.of(postId))
				.flatMap((scores) -> Mono.justOrEmpty(scores.get(0)))
				.flatMap((commit) -> of(postId, author, commit.longValue())));
	}

	private Mono<View> of(String postId, String author, long commit) {
		return Mono
			.zip(entry(postId, commit).singleOptional(), this.followers.shards(author), this.followers.count(author),
					this.trail.of(postId))
			.flatMap((read) -> reached(postId, author, read.getT2()).map((shards) -> view(read.getT1().orElse(null),
					read.getT3(), shards, steps(read.getT4(), read.getT2(), commit))));
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
		return this.data.run(WAY, List.of(Keys.LOG, Keys.UNFINISHED), Long.toString(commit), postId, GROUP)
			.filter((answer) -> !answer.isEmpty())
			.map(Entry::of);
	}

	/** For each shard of followers how many of them have the post. */
	private Mono<List<ShardView>> reached(String postId, String author, FollowerShards shards) {
		return this.followers.earliest(author, Cursor.START, MOST)
			.flatMap((page) -> Flux.fromIterable(page.places())
				.flatMap(
						(place) -> this.data.zmscore(Keys.homeTimeline(place.member()), List.of(postId))
							.map((scores) -> Map.entry(shards.numberAt(place.score()), scores.get(0) != null)),
						CONCURRENCY)
				.collect(Collectors.groupingBy(Map.Entry::getKey,
						Collectors.partitioningBy(Map.Entry::getValue, Collectors.counting()))))
			.map((counts) -> IntStream.rangeClosed(0, shards.last()).mapToObj((number) -> {
				Map<Boolean, Long> counted = counts.getOrDefault(number, Map.of());
				long with = counted.getOrDefault(true, 0L);
				return new ShardView(shards.key(number), with, with + counted.getOrDefault(false, 0L));
			}).toList());
	}

	private View view(@Nullable Entry entry, long followers, List<ShardView> shards, List<Localized> steps) {
		Localized decision = (entry == null) ? Message.of("xray.way-gone")
				: entry.has("pulled", "1") ? Message.of("xray.way-pulled", followers, this.properties.pushLimit())
						: Message.of("xray.way-pushed", followers, this.properties.pushLimit());
		return new View(entry, decision, (entry != null) ? entry.state() : null, steps, shards,
				followers > MOST ? Message.of("xray.way-first", MOST) : null);
	}

	/**
	 * What the page shows.
	 *
	 * @param entry the entry; null when the log has it no more
	 * @param decision whether the post is pushed or pulled, and why
	 * @param state how far the workers are; null without an entry
	 * @param steps which instance did what; empty when that is forgotten
	 * @param shards the author's followers
	 * @param bound says that not all followers were looked at; null when all were
	 */
	record View(@Nullable Entry entry, Localized decision, @Nullable Localized state, List<Localized> steps,
			List<ShardView> shards, @Nullable Localized bound) {
	}

	/**
	 * A shard of followers.
	 *
	 * @param key its key
	 * @param reached followers who have the post in their timeline
	 * @param followers followers who were looked at
	 */
	record ShardView(String key, long reached, long followers) {
	}

	/**
	 * The entry of a post in the log.
	 *
	 * @param id its id
	 * @param before id and nonce of the entry before
	 * @param taken id of the last entry that a worker has taken
	 * @param pending whether a worker is at work on it
	 * @param tasks unfinished tasks that it was split into
	 * @param fields its fields in their order
	 */
	record Entry(String id, String before, String taken, boolean pending, long tasks, List<FieldView> fields) {

		static Entry of(List<String> answer) {
			List<FieldView> fields = new ArrayList<>();
			for (int i = HEAD; i + 1 < answer.size(); i += 2) {
				fields.add(new FieldView(answer.get(i), answer.get(i + 1)));
			}
			return new Entry(answer.get(0), answer.get(1), answer.get(2), answer.get(3).equals("1"),
					Long.parseLong(answer.get(4)), fields);
		}

		boolean has(String field, String value) {
			return this.fields.contains(new FieldView(field, value));
		}

		/** How {@code publish.lua} has told all instances. */
		String message() {
			return "PUBLISH " + Keys.BUS + " " + this.before + " " + this.id + " "
					+ this.fields.stream()
						.map((field) -> field.field() + " " + field.value())
						.collect(Collectors.joining(" "));
		}

		Localized state() {
			if (Position.of(this.taken, "").compareTo(Position.of(this.id, "")) < 0) {
				return Message.of("xray.way-waits");
			}
			return (this.tasks > 0) ? Message.of("xray.way-tasks", this.tasks)
					: this.pending ? Message.of("xray.way-begun") : Message.of("xray.way-done");
		}

	}

	/** A field with its value. */
	record FieldView(String field, String value) {
	}

}
