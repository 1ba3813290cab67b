package live.retwis.fanout;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.lettuce.core.Range;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.CommitLog;
import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(RedisExtension.class)
class PendingFanOutIndexTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private static List<String> ids(List<Cursor> places) {
		return places.stream().map(Cursor::member).toList();
	}

	@Test
	@Tag("slow")
	void aWaitingPostIsFoundByItsTagsAndByWhatItRepliesTo(@OwnRedis TestRedis redis) {
		try (Site idle = Site.start(redis, "--retwis.fan-out.worker=false")) {
			PendingFanOutIndex unfinished = idle.bean(PendingFanOutIndex.class);
			Visitor author = Visitor.registered(idle);
			String question = author.post("a question #one #two #only");
			String tagged = author.post("#two #two");
			String answer = author
				.postJson("body", "an answer #one", "once", UUID.randomUUID().toString(), "reply_to", question)
				.json()
				.get("posts")
				.get(0)
				.get("id")
				.asString();
			Awaitility.await()
				.atMost(SOON)
				.until(() -> ids(unfinished.postsOf(author.id())).equals(List.of(answer, tagged, question)));
			assertThat(ids(unfinished.postsWith("one"))).containsExactly(answer, question);
			assertThat(ids(unfinished.postsWith("two"))).containsExactly(tagged, question);
			assertThat(unfinished.postsWith("three")).isEmpty();
			assertThat(ids(unfinished.repliesTo(question))).containsExactly(answer);
			assertThat(unfinished.repliesTo(answer)).isEmpty();
			synchronized (unfinished) {
				assertThat(CompletableFuture.supplyAsync(() -> ids(unfinished.postsWith("one"))))
					.as("while an entry is added")
					.succeedsWithin(SOON)
					.isEqualTo(List.of(answer, question));
			}
			// As a task of a split entry describes it.
			idle.redis()
				.xrange(Keys.LOG, Range.unbounded())
				.stream()
				.filter((entry) -> entry.getBody().containsValue(question))
				.map((entry) -> new LogEntry(LogPosition.of(entry.getId(), "n"), LogEntry.Type.POST, question,
						author.id(), ""))
				.forEach(unfinished::accept);
			try (Site worker = Site.start(redis)) {
				Awaitility.await().atMost(SOON).until(() -> unfinished.authors() == 0);
				assertThat(unfinished.postsWith("one")).isEmpty();
				assertThat(unfinished.postsWith("only")).isEmpty();
				assertThat(unfinished.postsWith("two")).isEmpty();
				assertThat(unfinished.repliesTo(question)).isEmpty();
				PendingFanOutIndex same = worker.bean(PendingFanOutIndex.class);
				Awaitility.await().atMost(SOON).until(() -> same.authors() == 0);
				assertThat(same.postsWith("two")).isEmpty();
			}
		}
	}

	@Test
	@Tag("slow")
	void oneLookNamesAThousandOfThePostponedEntriesAndAWholeOneAllOfThem(@OwnRedis TestRedis redis) {
		try (Site idle = Site.start(redis, "--retwis.fan-out.worker=false")) {
			FanOutQueue queue = idle.bean(FanOutQueue.class);
			Awaitility.await().atMost(SOON).until(() -> queue.state().block() != FanOutSnapshot.NOT_BEGUN);
			for (int i = 1; i <= 2500; i++) {
				idle.redis().zadd(Keys.POSTPONED_BY_COMMIT, i, i + "-0");
			}
			assertThat(queue.state().block()).extracting((state) -> state.elsewhere().size()).isEqualTo(1000);
			assertThat(queue.wholeState().block()).extracting((state) -> state.elsewhere().size()).isEqualTo(2500);
		}
	}

	@Test
	@Tag("slow")
	void whatAFailOverLosesBehindTheFirstThousandIsNoticedByTheNextWholeLook(@OwnRedis TestRedis redis) {
		try (Site idle = Site.start(redis, "--retwis.fan-out.worker=false")) {
			PendingFanOutIndex index = index(idle);
			FanOutSnapshot first = FanOutSnapshot.of(List.of(FanOutSnapshotTests.answer(true, 10, 20)));
			FanOutSnapshot lost = FanOutSnapshot
				.of(List.of(FanOutSnapshotTests.answer(true, 10, 20), FanOutSnapshotTests.answer(false, 25, 30, 40)));
			index
				.removeDone(FanOutSnapshot
					.of(List.of(FanOutSnapshotTests.answer(true, 10, 20), FanOutSnapshotTests.answer(false, 30, 40))))
				.block();
			assertThat(Stream.of(first, first, lost, first, lost).map((state) -> index.removeDone(state).block()))
				.containsExactly(false, false, true, false, false);
		}
	}

	@Test
	@Tag("slow")
	void afterALossThatAShortLookHasNoticedThereIsAWholeOneToCompareWith(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			Visitor.registered(site).post("soon done");
			FanOutWait.settle(site);
			PendingFanOutIndex index = index(site);
			List<List<String>> answers = List.of(FanOutSnapshotTests.answer(true, 10, 20),
					FanOutSnapshotTests.answer(false, 40));
			assertThat(index.removeDone(FanOutSnapshot.of(answers)).block()).isFalse();
			assertThat(Stream
				.of(FanOutSnapshotTests.answer(true, 10, 15, 20), FanOutSnapshotTests.answer(true, 15, 20, 30))
				.map((answer) -> index.removeDone(FanOutSnapshot.of(List.of(answer))).block()))
				.containsExactly(true, true);
		}
	}

	/** An index of its own, which nobody else asks. */
	private static PendingFanOutIndex index(Site site) {
		return new PendingFanOutIndex(site.bean(FanOutQueue.class), site.bean(FanOutTaskQueue.class),
				site.bean(PostponedEntryQueue.class), site.bean(CommitLog.class));
	}

}
