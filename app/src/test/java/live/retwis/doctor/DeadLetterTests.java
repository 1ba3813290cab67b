package live.retwis.doctor;

import java.util.List;

import io.lettuce.core.Range;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.StreamMessage;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** What the doctor does about log entries that no worker could process. */
@Timeout(60)
@ExtendWith(RedisExtension.class)
class DeadLetterTests {

	private final ExaminedSite store;

	DeadLetterTests(@OwnRedis TestRedis redis) {
		this.store = ExaminedSite.start(redis);
	}

	@AfterEach
	void close() {
		this.store.close();
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void anEntryIsProcessedAgainWhenItsCauseIsMended() {
		Visitor reader = Visitor.registered(this.store.site());
		String post = putAside(reader);
		assertThat(this.store.examine()).hasSize(2)
			.first()
			.asString()
			.contains(Keys.DEAD_LETTERS + ": has in ", "WRONGTYPE", "--fix gives it to the workers again");
		assertThat(this.store.fix()).hasSize(2);
		Awaitility.await("the post on the reader's page").until(() -> isListed(reader, post));
		assertThat(this.store.redis().xlen(Keys.DEAD_LETTERS)).isZero();
		assertThat(this.store.waitAndExamine()).singleElement().asString().endsWith("every rule holds.");
	}

	@Test
	void eachTaskOfAnEntryIsGivenBack() {
		String author = Visitor.registered(this.store.site()).id();
		for (int task = 0; task < 3; task++) {
			this.store.redis()
				.xadd(Keys.DEAD_LETTERS, "stream", Keys.FAN_OUT_TASKS, "entry", "5-" + task, "error", "bad", "entry",
						"1-0", "type", "delete", "post", "0SCAXXY4AGTDW", "user", author, "from", "0", "until", "");
		}
		assertThat(this.store.fix()).filteredOn((line) -> line.contains("a task of entry 1-0 of the log")).hasSize(3);
		assertThat(this.store.redis().xlen(Keys.DEAD_LETTERS)).isZero();
	}

	@Test
	void aTaskThatIsGivenBackLooksForWhoUnfollowedMeanwhile() {
		Visitor author = Visitor.registered(this.store.site());
		Visitor reader = Visitor.registered(this.store.site());
		reader.follow(author);
		reader.get("/home");
		String post = author.post("read by one who leaves");
		Awaitility.await("the post on the reader's page").until(() -> isListed(reader, post));
		reader.unfollow(author);
		Awaitility.await("the unfollow").until(() -> !isListed(reader, post));
		assertThat(this.store.waitAndExamine()).hasSize(1);
		List<StreamMessage<String, String>> log = this.store.redis().xrange(Keys.LOG, Range.unbounded());
		String entry = log.stream()
			.filter((some) -> post.equals(some.getBody().get("post")))
			.map(StreamMessage::getId)
			.findFirst()
			.orElseThrow();
		double committed = Double.parseDouble(entry.substring(0, entry.indexOf('-')));
		this.store.redis().zadd(Keys.homeTimeline(reader.id()), committed, post);
		this.store.redis()
			.xadd(Keys.DEAD_LETTERS, "stream", Keys.FAN_OUT_TASKS, "entry", "5-0", "error", "bad", "entry", entry,
					"type", "post", "post", post, "user", author.id(), "from", "0", "until", "");
		this.store.fix();
		Awaitility.await("the post taken away again").until(() -> !isListed(reader, post));
	}

	@Test
	void aTaskOfWhichOnlyTheIdIsKnownIsForPeople() {
		String entry = this.store.redis().xrange(Keys.LOG, Range.unbounded()).get(0).getId();
		String letter = this.store.redis()
			.xadd(Keys.DEAD_LETTERS, "stream", Keys.FAN_OUT_TASKS, "entry", entry, "error", "gone");
		assertThat(this.store.fix()).first()
			.asString()
			.contains(" the task " + entry + ", which no worker could process: gone")
			.endsWith("XDEL " + Keys.DEAD_LETTERS + " " + letter);
	}

	@Test
	@Tag("slow")
	void anEntryThatTheLogNoLongerHasIsForPeople() {
		putAside(Visitor.registered(this.store.site()));
		this.store.redis().xtrim(Keys.LOG, 0);
		String letter = this.store.redis().xrange(Keys.DEAD_LETTERS, Range.unbounded()).get(0).getId();
		assertThat(this.store.fix()).anyMatch((line) -> line.endsWith("XDEL " + Keys.DEAD_LETTERS + " " + letter));
		assertThat(this.store.redis().xlen(Keys.DEAD_LETTERS)).isOne();
	}

	/**
	 * Lets the workers fail at a follow, and mends the cause.
	 * @return a post that the reader's home timeline lacks
	 */
	private String putAside(Visitor reader) {
		Visitor author = Visitor.registered(this.store.site());
		String post = author.post("before the follow");
		FanOutWait.settle(this.store.site());
		String posts = Keys.postsOf(author.id());
		reader.get("/home");
		List<ScoredValue<String>> kept = this.store.redis().zrangeWithScores(posts, 0, -1);
		this.store.redis().del(posts);
		this.store.redis().set(posts, "damaged");
		reader.follow(author);
		Awaitility.await("the dead letter").until(() -> this.store.redis().xlen(Keys.DEAD_LETTERS) == 1);
		assertThat(isListed(reader, post)).isFalse();
		this.store.redis().del(posts);
		kept.forEach((one) -> this.store.redis().zadd(posts, one.getScore(), one.getValue()));
		return post;
	}

	private boolean isListed(Visitor reader, String post) {
		return this.store.redis().zscore(Keys.homeTimeline(reader.id()), post) != null;
	}

}
