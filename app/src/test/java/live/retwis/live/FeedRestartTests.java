package live.retwis.live;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import live.retwis.log.CommitLog;
import live.retwis.log.CommitLogListener;
import live.retwis.log.InstanceLogPosition;
import live.retwis.log.LogEntry;
import live.retwis.log.LogRetentionProperties;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import live.retwis.web.HeartbeatProperties;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs a second feed beside the site's own. Its parts fail with unexpected errors.
 */
class FeedRestartTests {

	private static final Duration LIMIT = Duration.ofSeconds(10);

	private final Site site = Site.shared();

	private final Visitor alice = Visitor.registered(this.site);

	private final MeterRegistry meters = new SimpleMeterRegistry();

	private final Listener listener = new Listener();

	private final DeliveryMetrics trace = new DeliveryMetrics(this.meters, OptionalLong::empty) {

		@Override
		void received(LogEntry entry) {
			if (entry.user().equals(FeedRestartTests.this.alice.id()) && FeedRestartTests.this.failing > 0
					&& --FeedRestartTests.this.failing == 0) {
				throw new IllegalStateException("not expected by anybody");
			}
		}

	};

	private final CommitLog log = this.site.bean(CommitLog.class);

	private final CommitLogTailer reader = new CommitLogTailer(this.log, this.site.bean(PubSubSubscription.class),
			new LogListenerDispatcher(List.of(this.listener), new InstanceLogPosition()), this.trace);

	private final StreamRegistry streams = new StreamRegistry(this.site.bean(LiveProperties.class),
			this.site.bean(HeartbeatProperties.class), this.site.bean(LogRetentionProperties.class), this.reader,
			this.trace);

	private final LiveFeed feed = new LiveFeed(this.streams, this.log, this.reader, this.site.bean(EntryEncoder.class),
			this.trace);

	private final List<String> seen = new CopyOnWriteArrayList<>();

	/** Number of the next entry that fails, counted from now; 0 for none. */
	private volatile int failing;

	@BeforeEach
	void start() {
		this.feed.start();
	}

	@AfterEach
	void stop() {
		this.feed.stop();
	}

	private Disposable open() {
		WebFluxOutlet outlet = new WebFluxOutlet(Runnable::run, 256);
		OpenStream subscriber = new OpenStream(StreamSelection.author(this.alice.id()), outlet);
		Awaitility.await("the feed")
			.atMost(LIMIT)
			.until(() -> this.streams.attach(subscriber, List.of())
				.map(Optional::of)
				.onErrorReturn(Optional.empty())
				.blockOptional(LIMIT)
				.orElseThrow()
				.isPresent());
		return subscriber.body(() -> {
		}).map(Entries::text).subscribe(this.seen::add);
	}

	@Test
	@Tag("slow")
	void afterAnUnexpectedErrorTheFeedContinuesWhereItWas() {
		Disposable stream = open();
		List<String> posts = new ArrayList<>();
		for (int i = 0; i < 6; i++) {
			this.failing = (i % 3 == 1) ? 1 : this.failing;
			posts.add(this.alice.post("post " + i));
		}
		Awaitility.await().atMost(LIMIT).until(() -> this.seen.stream().anyMatch((text) -> text.contains("post 5<")));
		assertThat(posts()).isEqualTo(posts);
		assertThat(this.seen).noneMatch((text) -> text.contains("event: reset"));
		assertThat(this.listener.heard).doesNotHaveDuplicates().containsAll(posts);
		assertThat(this.meters.counter("retwis.live.restarts").count()).isPositive();
		assertThat(this.feed.failure()).as("it runs").isNull();
		stream.dispose();
	}

	private List<String> posts() {
		return this.seen.stream()
			.filter((text) -> text.contains("event: post"))
			.map((text) -> text.replaceFirst("(?s)^.*?data-post-id=\"([^\"]*)\".*$", "$1"))
			.toList();
	}

	@Test
	void aListenerThatFailsIsResetAndTheOthersContinue() {
		Disposable stream = open();
		int resets = this.listener.resets;
		this.listener.failing = true;
		this.alice.post("not understood");
		Awaitility.await().atMost(LIMIT).until(() -> this.listener.resets == resets + 1);
		String next = this.alice.post("understood");
		Awaitility.await().atMost(LIMIT).until(() -> posts().size() == 2);
		assertThat(this.listener.heard).contains(next);
		assertThat(this.meters.counter("retwis.live.restarts").count()).isZero();
		stream.dispose();
	}

	/** Remembers the posts that it receives. */
	private static final class Listener implements CommitLogListener {

		private final List<String> heard = new CopyOnWriteArrayList<>();

		private volatile boolean failing;

		private volatile int resets;

		@Override
		public void accept(LogEntry entry) {
			if (this.failing && entry.type() == LogEntry.Type.POST) {
				this.failing = false;
				throw new IllegalStateException("not understood");
			}
			if (entry.type() == LogEntry.Type.POST) {
				this.heard.add(entry.post());
			}
		}

		@Override
		public void reset() {
			this.resets++;
		}

	}

}
