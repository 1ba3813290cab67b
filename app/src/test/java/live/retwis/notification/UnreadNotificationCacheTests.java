package live.retwis.notification;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import live.retwis.web.Viewer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.Disposable;

import static org.assertj.core.api.Assertions.assertThat;

/** Pages show a number of unread notifications that their instance has read before. */
@Timeout(60)
@ExtendWith(RedisExtension.class)
class UnreadNotificationCacheTests {

	private static final Duration SOON = Duration.ofSeconds(10);

	private static String badge(Visitor visitor) {
		return visitor.get("/settings").find("data-unread>([^<]*)<");
	}

	private static void awaitBadge(Visitor visitor, String badge) {
		Awaitility.await().atMost(SOON).untilAsserted(() -> assertThat(badge(visitor)).isEqualTo(badge));
	}

	private static Predicate<SentCommand> counting(Visitor reader) {
		return SentCommand.named("EVALSHA").and(SentCommand.with(Keys.notifications(reader.id())));
	}

	@Test
	void aNumberThatChangesOnOneInstanceChangesOnThePagesOfTheOther() {
		Site site = Site.shared();
		Visitor here = Visitor.registered(site);
		Visitor friend = Visitor.registered(site);
		try (Site other = Site.another()) {
			Visitor there = Visitor.signedIn(other, here.name());
			assertThat(badge(here)).isEmpty();
			assertThat(badge(there)).isEmpty();
			friend.follow(here);
			awaitBadge(here, "1");
			awaitBadge(there, "1");
			there.get("/notifications");
			assertThat(badge(there)).as("where they were read").isEmpty();
			awaitBadge(here, "");
		}
	}

	@Test
	void onlyTheFirstOfManyPagesCounts(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site site = Site.startAt("127.0.0.1", way.port())) {
			Visitor reader = Visitor.registered(site);
			FanOutWait.settle(site);
			assertThat(badge(reader)).as("Redis knows the script").isEmpty();
			site.bean(UnreadNotificationCache.class).changed(reader.id());
			try (Interception counts = way.at(counting(reader)).watch()) {
				for (String path : new String[] { "/home", "/settings", "/timeline", "/home" }) {
					assertThat(reader.get(path).status()).as(path).isEqualTo(200);
				}
				assertThat(counts.met()).isOne();
			}
		}
	}

	@Test
	void aNumberThatWasReadBeforeItChangedIsNotKept(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site site = Site.startAt("127.0.0.1", way.port())) {
			Visitor reader = Visitor.registered(site);
			FanOutWait.settle(site);
			UnreadNotificationCache cache = site.bean(UnreadNotificationCache.class);
			assertThat(badge(reader)).as("Redis knows the script").isEmpty();
			cache.changed(reader.id());
			CompletableFuture<Long> before;
			try (Interception answer = way.at(counting(reader)).holdReply()) {
				before = cache.count(reader.id());
				answer.awaitMet();
				plant(site, reader);
			}
			assertThat(before.orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join()).isZero();
			assertThat(badge(reader)).isEqualTo("1");
		}
	}

	/** The stream of such a page tells of nothing that was before its position. */
	@Test
	@Tag("slow")
	void aNumberThatChangesWhileAPageIsReadIsOnThePage(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site site = Site.startAt("127.0.0.1", way.port())) {
			Visitor reader = Visitor.registered(site);
			FanOutWait.settle(site);
			assertThat(badge(reader)).isEmpty();
			CompletableFuture<String> page;
			try (Interception posts = way.at(SentCommand.with(Keys.PUBLIC_TIMELINE)).holdReply()) {
				page = CompletableFuture.supplyAsync(() -> reader.get("/timeline").find("data-unread>([^<]*)<"));
				posts.awaitMet();
				plant(site, reader);
			}
			assertThat(page.orTimeout(SOON.toSeconds(), TimeUnit.SECONDS).join()).isEqualTo("1");
		}
	}

	@Test
	void whatIsMarkedAsReadForAReaderWhoDoesNotWaitIsRead(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site site = Site.startAt("127.0.0.1", way.port())) {
			Visitor reader = Visitor.registered(site);
			FanOutWait.settle(site);
			plant(site, reader);
			assertThat(badge(reader)).isEqualTo("1");
			NotificationPageReader pages = site.bean(NotificationPageReader.class);
			Viewer viewer = new Viewer(reader.id(), reader.name());
			NotificationPage page = new NotificationPage(List.of(), null, 1000, 1);
			try (Interception mark = way.at(counting(reader)).holdReply()) {
				Disposable marking = pages.markRead(viewer, page).subscribe();
				mark.awaitMet();
				marking.dispose();
			}
			awaitBadge(reader, "");
		}
	}

	private static void plant(Site site, Visitor reader) {
		site.redis().zadd(Keys.notifications(reader.id()), 1000, "follow:0DDDDDDDDDDDD");
		site.bean(UnreadNotificationCache.class).changed(reader.id());
	}

	@Test
	void aNumberThatCannotBeReadIsReadAgainByTheNextPage(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site site = Site.startAt("127.0.0.1", way.port())) {
			Visitor reader = Visitor.registered(site);
			FanOutWait.settle(site);
			plant(site, reader);
			try (Interception away = way.at(counting(reader))
				.rewriteReply((reply) -> "-CLUSTERDOWN The cluster is down\r\n")) {
				assertThat(reader.get("/settings").status()).isEqualTo(200);
				assertThat(away.met()).isPositive();
			}
			assertThat(badge(reader)).isEqualTo("1");
		}
	}

}
