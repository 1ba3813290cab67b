package live.retwis.live;

import java.time.Duration;

import live.retwis.log.CommitLog;
import live.retwis.log.LogPosition;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

class FeedBackfillTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private final Site site = Site.shared();

	private final CommitLog log = this.site.bean(CommitLog.class);

	private final FeedMemory memory = new FeedMemory(Duration.ofHours(1), 10_000, DataSize.ofMegabytes(64));

	private final FeedBackfill history = new FeedBackfill(this.memory, this.log, this.site.bean(EntryEncoder.class),
			this.site.bean(CommitLogTailer.class));

	private LogPosition head() {
		return this.log.head().blockOptional(BOUND).orElseThrow();
	}

	@Test
	void entriesFromBeforeTheStartCanBeReplayed() {
		Visitor author = Visitor.registered(this.site);
		author.post("before");
		LogPosition before = head();
		author.post("after");
		this.memory.begin(head());
		assertThat(this.memory.holds(before)).isFalse();
		StepVerifier.create(this.history.loadOlder()).expectComplete().verify(BOUND);
		assertThat(this.memory.holds(before)).isTrue();
	}

	/** A master that was replaced may still answer so, until it learns of it. */
	@Test
	void aLogWithoutTheOldestKnownEntryCountsAsAnotherLog() {
		Visitor.registered(this.site).post("of the other log");
		LogPosition ofTheOther = head();
		LogPosition oldest = new LogPosition(ofTheOther.millis() + 60_000, 0, "replacement");
		this.memory.begin(oldest);
		StepVerifier.create(this.history.loadOlder()).expectError(IllegalStateException.class).verify(BOUND);
		assertThat(this.memory.holds(ofTheOther)).isFalse();
		assertThat(this.memory.oldest()).isEqualTo(oldest);
		assertThat(this.history.canGoBack()).isTrue();
	}

}
