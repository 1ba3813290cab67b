package live.retwis.faults;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import io.lettuce.core.ScoredValue;
import live.retwis.faults.WorkloadHistory.Repost;
import live.retwis.faults.WorkloadPeople.Block;
import live.retwis.log.LogEntry;
import live.retwis.mention.MentionIndexer;
import live.retwis.notification.NotificationRepository;
import live.retwis.post.PostListRepository;
import live.retwis.post.ReplyRepository;
import live.retwis.redis.Keys;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The lists that workers derive from the log. In the end they have what belongs there,
 * unless it was lost with a master.
 *
 * @param store where the log is now
 * @param log all entries of the workload
 * @param writers the authors
 * @param cuts times whose writes may be lost
 */
record DerivedLists(StoredLog store, List<LogEntry> log, Writers writers, List<Cut> cuts) {

	/**
	 * Checks likes, replies, tags, mentions, reposts and deletions, and the numbers that
	 * the log tells of them.
	 */
	void assertComplete() {
		Set<String> made = this.log.stream()
			.filter((entry) -> entry.type() == LogEntry.Type.POST)
			.map(LogEntry::post)
			.collect(Collectors.toSet());
		assertLikes(made);
		List<LogEntry> living = living();
		assertReplies(living);
		assertTagged(living);
		assertMentions(living);
		WorkloadHistory.livingReposts(this.log).forEach(this::assertListed);
		assertNothingTakenBack();
		assertNothingDeleted();
		assertNothingOfTheBlocked();
		if (this.cuts.isEmpty()) {
			assertNumbers();
		}
	}

	/** Acknowledged posts that are in the log, and that it does not say are deleted. */
	private List<LogEntry> living() {
		Set<String> deleted = WorkloadHistory.deleted(this.log);
		return this.log.stream()
			.filter((entry) -> entry.type() == LogEntry.Type.POST)
			.filter((entry) -> this.writers.acknowledged().contains(entry.post()) && !deleted.contains(entry.post()))
			.toList();
	}

	/** The last number in the log is the right one. */
	private void assertNumbers() {
		Map<String, String> counts = new HashMap<>();
		this.log.stream()
			.filter((entry) -> entry.type() == LogEntry.Type.COUNTS)
			.forEach((entry) -> counts.put(entry.post(), entry.facts()));
		assertThat(counts.keySet()).containsAll(this.writers.likes().keySet());
		counts.forEach((post, told) -> assertThat(told)
			.isEqualTo("{\"post\":\"%s\",\"replies\":%d,\"likes\":%d,\"reposts\":%d}".formatted(post,
					this.store.commands().zcard(Keys.replies(post)), this.store.commands().zcard(Keys.likes(post)),
					this.store.commands().hlen(Keys.reposts(post)))));
		assertNumberOfUnread(this.writers.mentioned());
		assertNumberOfUnread(this.writers.block().blocker().id());
	}

	private void assertNumberOfUnread(String user) {
		assertThat(this.log.stream()
			.filter((entry) -> entry.type() == LogEntry.Type.NOTIFY && entry.user().equals(user))
			.map(LogEntry::facts)).last()
			.isEqualTo("{\"unread\":%d}".formatted(this.store.commands().zcard(Keys.notifications(user))));
	}

	private void assertLikes(Set<String> made) {
		this.writers.likes().forEach((post, like) -> {
			if (made.contains(post) && isCertain(like)) {
				assertThat(this.store.commands().zscore(Keys.likes(post), like.userId())).as(() -> traces(post, like))
					.isNotNull();
			}
		});
	}

	private void assertNothingTakenBack() {
		this.writers.unlikes().forEach((post, unlike) -> {
			if (isCertain(unlike)) {
				assertThat(this.store.commands().zscore(Keys.likes(post), unlike.userId()))
					.as("like of %s by %s", post, unlike.userId())
					.isNull();
			}
		});
		Set<Repost> reposts = WorkloadHistory.livingReposts(this.log).map(Repost::of).collect(Collectors.toSet());
		this.writers.unreposts().forEach((post, unrepost) -> {
			if (isCertain(unrepost)) {
				assertThat(reposts).doesNotContain(new Repost(post, unrepost.userId()));
				assertThat(this.store.commands().hget(Keys.reposts(post), unrepost.userId()))
					.as("repost of %s by %s", post, unrepost.userId())
					.isNull();
			}
		});
	}

	private void assertNothingDeleted() {
		Set<String> deleted = WorkloadHistory.deleted(this.log);
		this.writers.deletions().forEach((post, deletion) -> {
			if (isCertain(deletion)) {
				assertThat(deleted).contains(post);
				assertThat(this.store.commands().zscore(Keys.postsOf(deletion.userId()), post))
					.as("deleted post %s in the list of its author", post)
					.isNull();
				assertThat(this.store.commands().zscore(Keys.replies(this.writers.conversation().get(0)), post))
					.as("deleted post %s in the conversation", post)
					.isNull();
			}
		});
	}

	private boolean isCertain(Acknowledgement write) {
		return this.cuts.stream().noneMatch((cut) -> cut.mayLose(write));
	}

	/** The blocker is told of others alone, and nobody who is blocked has reacted. */
	private void assertNothingOfTheBlocked() {
		String blocker = this.writers.block().blocker().id();
		String author = this.writers.block().author().id();
		assertThat(this.store.commands().zrange(Keys.notifications(blocker), 0, -1)).isNotEmpty()
			.noneMatch((notification) -> notification.contains(author));
		Set<String> posts = this.log.stream()
			.filter((entry) -> entry.type() == LogEntry.Type.POST && entry.user().equals(author))
			.map(LogEntry::post)
			.collect(Collectors.toSet());
		assertThat(this.store.commands().zrange(Keys.mentions(blocker), 0, -1)).isNotEmpty().noneMatch(posts::contains);
		String post = this.writers.block().post();
		assertThat(this.store.commands().zcard(Keys.likes(post))).isZero();
		assertThat(this.store.commands().zcard(Keys.replies(post))).isZero();
		assertThat(this.store.commands().hlen(Keys.reposts(post))).isZero();
	}

	/** Each reply stands below what it replies to. */
	private void assertReplies(List<LogEntry> living) {
		living.stream()
			.filter((post) -> post.replyTo().isPresent())
			.collect(Collectors.groupingBy((post) -> post.replyTo().orElseThrow()))
			.forEach((parent, replies) -> assertHas(Keys.replies(parent), ReplyRepository.MOST, replies,
					LogEntry::post));
	}

	private void assertTagged(List<LogEntry> living) {
		assertHas(Keys.tag(WorkloadPeople.TAG), PostListRepository.MOST,
				living.stream().filter((post) -> post.tags().contains(WorkloadPeople.TAG)).toList(), LogEntry::post);
	}

	/** Whom a post mentions finds it among the mentions, and is told of it. */
	private void assertMentions(List<LogEntry> living) {
		List<LogEntry> mentions = living.stream()
			.filter((post) -> this.writers.mentions().contains(post.post()))
			.toList();
		assertMentions(this.writers.mentioned(), mentions);
		Block block = this.writers.block();
		assertMentions(block.blocker().id(),
				mentions.stream().filter((post) -> !post.user().equals(block.author().id())).toList());
	}

	private void assertMentions(String user, List<LogEntry> mentions) {
		assertHas(Keys.mentions(user), MentionIndexer.MOST, mentions, LogEntry::post);
		assertHas(Keys.notifications(user), NotificationRepository.MOST, mentions,
				(post) -> "mention:" + post.user() + ":" + post.post());
	}

	/**
	 * Checks that a list has these posts. One that was full has given up the oldest, and
	 * others may have left it since.
	 * @param most most members of the list
	 * @param member the member that stands for a post
	 */
	private void assertHas(String key, int most, List<LogEntry> posts, Function<LogEntry, String> member) {
		List<ScoredValue<String>> listed = this.store.commands().zrangeWithScores(key, 0, -1);
		long left = this.log.stream()
			.filter((entry) -> entry.type() == LogEntry.Type.DELETE || entry.type() == LogEntry.Type.UNLIKE)
			.count();
		double from = (listed.isEmpty() || listed.size() + left < most) ? 0 : listed.get(0).getScore();
		assertThat(listed).as(key)
			.extracting(ScoredValue::getValue)
			.containsAll(posts.stream().filter((post) -> post.position().millis() > from).map(member).toList());
	}

	/**
	 * A repost is in the reposter's own list, and in the list of reposts of its original.
	 */
	private void assertListed(LogEntry repost) {
		assertThat(this.store.commands().zscore(Keys.postsOf(repost.user()), repost.post()))
			.as("repost %s in the list of %s", repost.post(), repost.user())
			.isNotNull();
		String original = repost.repostOf().orElseThrow();
		assertThat(this.store.commands().hget(Keys.reposts(original), repost.user()))
			.as("repost of %s by %s", original, repost.user())
			.isEqualTo(repost.post());
	}

	/** What tells where a like was lost. */
	private String traces(String post, Acknowledgement like) {
		List<String> entries = this.log.stream()
			.filter((entry) -> entry.post().equals(post))
			.map((entry) -> entry.type() + " " + entry.position())
			.toList();
		List<Long> sinceCuts = this.cuts.stream()
			.map((cut) -> TimeUnit.NANOSECONDS.toMillis(like.sent() - cut.ended()))
			.toList();
		return "post %s, liked: %s, its entries: %s, intents: %s, pending: %s, sent so many ms after the ends of the cuts: %s, took %d ms"
			.formatted(post, this.store.commands().zscore(Keys.liked(like.userId()), post), entries,
					this.store.commands().zrange(Keys.INTENTS, 0, -1),
					this.store.commands().xpending(Keys.LOG, "fanout", Range.unbounded(), Limit.from(100)), sinceCuts,
					TimeUnit.NANOSECONDS.toMillis(like.answered() - like.sent()));
	}

}
