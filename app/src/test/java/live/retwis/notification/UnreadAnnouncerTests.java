package live.retwis.notification;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.Range;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.EventStream;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** An instance stops just after a number of unread notifications has changed. */
@ExtendWith(RedisExtension.class)
class UnreadAnnouncerTests {

	private static final Duration SOON = Duration.ofSeconds(15);

	private final Site other = Site.shared();

	private final Visitor reader = Visitor.registered(this.other);

	@Test
	void anOpenPageOfAnotherInstanceIsToldOfTheLastNumber() {
		plant();
		try (EventStream open = open(); Site stopping = Site.another()) {
			Visitor there = Visitor.signedIn(stopping, this.reader.name());
			there.get("/notifications");
			stopping.close();
			open.await((event) -> event.data().equals("{\"unread\":0}"));
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void whatARequestChangesWhileTheInstanceIsStoppingIsTold() {
		plant();
		try (EventStream open = open(); Site stopping = Site.another("--retwis.live.drain=4s")) {
			Visitor there = Visitor.signedIn(stopping, this.reader.name());
			CompletableFuture<Void> stop = CompletableFuture.runAsync(stopping::close);
			Awaitility.await("it is stopping")
				.atMost(SOON)
				.until(() -> there.get("/settings").header("Connection").equals("close"));
			there.get("/notifications");
			open.await((event) -> event.data().equals("{\"unread\":0}"));
			stop.join();
		}
	}

	@Test
	void aStopTriesAgainWhatFailed(@OwnRedis TestRedis redis) throws Exception {
		try (FaultProxy way = redis.proxy(); Site site = Site.startAt("127.0.0.1", way.port())) {
			UnreadAnnouncer announcer = site.bean(UnreadAnnouncer.class);
			announcer.stop();
			Visitor user = Visitor.registered(site);
			FanOutWait.settle(site);
			try (Interception refused = way.at(SentCommand.with(Keys.notifications(user.id())))
				.rewriteReply((reply) -> "-CLUSTERDOWN The cluster is down\r\n")) {
				announcer.changed(user.id());
				CompletableFuture<Void> stopped = new CompletableFuture<>();
				announcer.stop(() -> stopped.complete(null));
				refused.awaitMet();
				refused.close();
				stopped.get(SOON.toSeconds(), TimeUnit.SECONDS);
			}
			assertThat(site.redis().xrange(Keys.LOG, Range.unbounded()))
				.anyMatch((entry) -> "{\"unread\":0}".equals(entry.getBody().get("facts")));
		}
	}

	@Test
	@Tag("slow")
	void aStopDoesNotWaitForARedisThatDoesNotAnswer(@OwnRedis TestRedis redis) throws Exception {
		try (FaultProxy way = redis.proxy(); Site site = Site.startAt("127.0.0.1", way.port())) {
			UnreadAnnouncer announcer = site.bean(UnreadAnnouncer.class);
			try (Interception away = way.blackHole()) {
				announcer.changed("0CCCCCCCCCCCC");
				CompletableFuture<Void> stopped = new CompletableFuture<>();
				announcer.stop(() -> stopped.complete(null));
				stopped.get(SOON.toSeconds(), TimeUnit.SECONDS);
				assertThat(announcer.isRunning()).isFalse();
			}
		}
	}

	private void plant() {
		Notification followed = new Notification(NotificationType.FOLLOW, "0DDDDDDDDDDDD", "");
		this.other.bean(NotificationRepository.class).add(this.reader.id(), followed, 1000).block(SOON);
	}

	private EventStream open() {
		EventStream stream = this.reader.open("/live/notifications");
		stream.await((event) -> event.name().equals("position"));
		return stream;
	}

}
