package live.retwis.doctor;

import java.time.Duration;
import java.util.List;

import live.retwis.archive.ArchiveMarkers;
import live.retwis.doctor.StoreReader.Member;
import live.retwis.post.ReplyRepository;
import live.retwis.redis.Keys;
import live.retwis.redis.TimeSortedIdGenerator;
import live.retwis.timeline.TimelineProperties;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Lists of posts: the posts exist, and the lists keep their bounds. */
@Component
class TimelineRules implements RuleSet {

	/**
	 * Prefix of the keys of home timelines and of the keys that belong to a timeline.
	 */
	private static final String BUCKET = "{t";

	/** Prefix of the home timelines of an older release. They expire by themselves. */
	private static final String OLDER = "timeline:";

	/** Longest time that building a home timeline may take. */
	private static final Duration LONGEST_BUILD = Duration.ofMinutes(1);

	private final StoreReader store;

	private final Repairs repairs;

	private final ListChecks lists;

	private final ArchiveReader archive;

	private final TimelineProperties properties;

	TimelineRules(StoreReader store, Repairs repairs, ListChecks lists, ArchiveReader archive,
			TimelineProperties properties) {
		this.store = store;
		this.archive = archive;
		this.repairs = repairs;
		this.lists = lists;
		this.properties = properties;
	}

	@Override
	public List<KeySchema> keySchemas() {
		Duration life = Duration.ofDays(this.properties.activeDays());
		return List.of(new KeySchema(Keys.postsOf(""), TimeSortedIdGenerator::isValid, "zset", this::postsOf),
				new KeySchema(BUCKET, (rest) -> isOf(Keys.homeTimeline(userOf(rest)), rest), "zset", life,
						(rest) -> homeTimeline(userOf(rest))),
				new KeySchema(BUCKET, (rest) -> isOf(Keys.homeCompleteFrom(userOf(rest)), rest), "string",
						life.plusDays(1), (rest) -> this.lists.owner(BUCKET + rest, userOf(rest))),
				new KeySchema(BUCKET, (rest) -> isOf(Keys.homeChanges(userOf(rest)), rest), "list", LONGEST_BUILD,
						(rest) -> Flux.empty()),
				new KeySchema(OLDER, TimeSortedIdGenerator::isValid, "zset", life, (rest) -> Flux.empty()),
				new KeySchema("{" + OLDER, (rest) -> rest.matches("[0-9A-Z]{13}}:from"), "string", life.plusDays(1),
						(rest) -> Flux.empty()),
				new KeySchema(Keys.pulledOf(""), TimeSortedIdGenerator::isValid, "zset", this::pulledOf),
				KeySchema.single(Keys.PULLED_AUTHORS, "zset", (rest) -> pulledAuthors()),
				new KeySchema(Keys.replies(""), TimeSortedIdGenerator::isValid, "zset", this::replies),
				KeySchema.single(Keys.PUBLIC_TIMELINE, "zset", (rest) -> publicTimeline()));
	}

	private Flux<Finding> postsOf(String userId) {
		String key = Keys.postsOf(userId);
		return this.lists.owner(key, userId)
			.switchIfEmpty(this.lists.members(key, (member) -> member.value().equals(ArchiveMarkers.MARK)
					? boundary(key, userId) : postOf(key, userId, member)));
	}

	/** The archive must have posts to which a list leads. */
	private Mono<Finding> boundary(String key, String userId) {
		return this.archive.hasPostsOf(userId)
			.filter((there) -> !there)
			.flatMap((none) -> Mono.zip(this.store.score(key, ArchiveMarkers.MARK),
					this.store.score(key, ArchiveMarkers.COUNT),
					(mark, count) -> mark.map((score) -> Finding.repairable(key,
							"says that " + count.map(Double::longValue).orElse(0L)
									+ " posts are in the archive, which has none",
							"removes that", () -> this.repairs.setBoundary(key, mark, count, 0, 0)))))
			.flatMap(Mono::justOrEmpty);
	}

	private Mono<Finding> postOf(String key, String userId, Member member) {
		if (ArchiveMarkers.isMarker(member.value())) {
			return Mono.empty();
		}
		return this.lists.lastingPostOf(key, member)
			.switchIfEmpty(this.store.post(member.value(), "author")
				.filter((post) -> !userId.equals(post.getOrDefault("author", userId)))
				.map((post) -> this.lists.wrong(key, member, "holds post " + member.value() + " of another author")));
	}

	/**
	 * Checks an author's posts that readers pull. Readers look at them only if the author
	 * is in the list of authors who have such posts.
	 */
	private Flux<Finding> pulledOf(String userId) {
		String key = Keys.pulledOf(userId);
		Flux<Finding> author = this.store.score(Keys.PULLED_AUTHORS, userId)
			.filter((score) -> score.isEmpty())
			.map((missing) -> Finding.repairable(key, "has posts to pull, but is not in " + Keys.PULLED_AUTHORS,
					"adds the author", () -> this.repairs.add(Keys.PULLED_AUTHORS, userId, 0)))
			.flux();
		return this.lists.owner(key, userId)
			.switchIfEmpty(author.concatWith(this.lists.members(key, (member) -> postOf(key, userId, member))));
	}

	private Flux<Finding> pulledAuthors() {
		return this.lists.members(Keys.PULLED_AUTHORS, (member) -> this.lists.userOf(Keys.PULLED_AUTHORS, member));
	}

	private static String userOf(String rest) {
		return rest.substring(rest.lastIndexOf(':') + 1);
	}

	/** Whether the key is in its user's bucket. */
	private static boolean isOf(String key, String rest) {
		return key.equals(BUCKET + rest) && TimeSortedIdGenerator.isValid(userOf(rest));
	}

	private Flux<Finding> homeTimeline(String userId) {
		String key = Keys.homeTimeline(userId);
		return this.lists.owner(key, userId)
			.switchIfEmpty(
					this.lists.bound(key, this.properties.size(), "deletes it; the reader's next page builds a new one",
							() -> Repairs.ifStill(this.store.size(key).map((size) -> size > this.properties.size()),
									this.repairs.removeTimeline(userId)))
						.concatWith(posts(key)));
	}

	private Flux<Finding> replies(String postId) {
		String key = Keys.replies(postId);
		Mono<Finding> parent = this.store.postExists(postId)
			.flatMap((there) -> there ? Mono.empty() : Mono.just(Finding.byHand(key,
					"its post " + postId + " does not exist", "restore the post or delete the list by hand")));
		return parent.flux()
			.switchIfEmpty(Flux.concat(this.lists.bound(key, ReplyRepository.MOST),
					this.lists.members(key, (member) -> this.lists.lastingPostOf(key, member)),
					this.lists.ofArchived(key, postId)));
	}

	private Flux<Finding> publicTimeline() {
		return this.lists.bound(Keys.PUBLIC_TIMELINE, this.properties.publicSize())
			.concatWith(posts(Keys.PUBLIC_TIMELINE));
	}

	private Flux<Finding> posts(String key) {
		return this.lists.members(key, (member) -> this.lists.postOf(key, member));
	}

}
