package live.retwis.live;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import io.lettuce.core.XAddArgs;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.CommitLog;
import live.retwis.log.LogPosition;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.EventStream.Event;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Open streams while Redis or the connection to it fails.
 */
@ExtendWith(RedisExtension.class)
class RedisFaultTests {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	@Test
	@Tag("slow")
	void aStreamThatOpensBeforeTheLogIsReadWaitsForIt(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site first = Site.startAt("127.0.0.1", way.port())) {
			Visitor alice = Visitor.registered(first);
			try (Interception refused = way.at(SentCommand.running("'type', 'start'"))
				.rewriteReply((head) -> "-LOADING Redis is loading the dataset in memory\r\n");
					Site site = Site.startAt("127.0.0.1", way.port())) {
				CompletableFuture<EventStream> opened = CompletableFuture
					.supplyAsync(() -> EventStreams.open(site, "/live/public", alice));
				refused.awaitMet();
				assertThat(opened).failsWithin(Duration.ofMillis(500)).withThrowableOfType(TimeoutException.class);
				refused.close();
				try (EventStream stream = opened.join()) {
					alice.post("live");
					stream.awaitPost("live");
				}
			}
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aKilledSubscriptionLosesNothingAndRepeatsNothing(@OwnRedis TestRedis redis) throws IOException {
		try (Site site = Site.start(redis)) {
			Visitor alice = Visitor.registered(site);
			try (EventStream home = alice.open("/live/home"); EventStream everyone = alice.open("/live/public")) {
				List<String> posts = new ArrayList<>();
				for (int i = 0; i < 60; i++) {
					if (i % 7 == 3) {
						assertThat(command(redis, "CLIENT KILL TYPE pubsub")).isIn(":0", ":1");
					}
					posts.add(alice.post("post " + i));
				}
				home.awaitPost(posts.get(59));
				everyone.awaitPost(posts.get(59));
				assertThat(EventStreams.postIds(home.events())).isEqualTo(posts);
				assertThat(EventStreams.postIds(everyone.events())).isEqualTo(posts);
			}
		}
	}

	@Test
	void openStreamsSurviveARestartOfRedis(@OwnRedis({ "appendonly yes", "appendfsync always" }) TestRedis redis) {
		try (Site site = Site.start(redis)) {
			Visitor alice = Visitor.registered(site);
			try (EventStream home = alice.open("/live/home")) {
				String before = alice.post("before");
				home.awaitPost(before);
				redis.kill();
				redis.restart();
				String after = postWhenBack(alice);
				home.awaitPost(after);
				assertThat(EventStreams.postIds(home.events())).containsExactly(before, after);
				assertThat(home.events("reset")).isEmpty();
				assertThat(home.isEnded()).isFalse();
			}
		}
	}

	/** As after a fail-over to a replica that did not get the last writes. */
	@Test
	@Tag("slow")
	@Tag("long")
	void aCutLogEndsOpenStreamsAndTheyComeBackWithWhomTheirViewersFollowNow(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			Visitor alice = Visitor.registered(site);
			Visitor bob = Visitor.registered(site);
			alice.follow(bob);
			FanOutWait.settle(site);
			try (EventStream home = alice.open("/live/home")) {
				String old = home.await((event) -> true).id();
				byte[] followed = site.redis().dump(Keys.following(alice.id()));
				alice.unfollow(bob);
				FanOutWait.settle(site);
				site.redis().restore(Keys.following(alice.id()), 0, followed);
				site.redis().del(Keys.LOG);
				Event reset = home.await((event) -> event.name().equals("reset"));
				assertThat(reset.data()).isEqualTo("{\"missed\":null}");
				assertThat(reset.id()).isNotEqualTo(old);
				Awaitility.await().atMost(LIMIT).until(home::isEnded);
				assertThat(Integer.parseInt(home.retry())).isBetween(500, 5000);
				try (EventStream back = alice.open("/live/home", "Last-Event-ID", reset.id())) {
					assertThat(back.await((event) -> true).name()).isEqualTo("position");
					back.awaitPost(bob.post("in the new log"));
				}
				try (EventStream refused = bob.open("/live/public?after=" + old)) {
					assertThat(refused.await((event) -> true).name()).isEqualTo("reset");
				}
			}
		}
	}

	/**
	 * Two masters take entries. The instance hears one of the former master while it
	 * reads the log of the new one.
	 */
	@Test
	@Tag("slow")
	void anEntryThatTheLogLacksThoughItWasAnnouncedIsACutOfTheLog(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site site = Site.startAt("127.0.0.1", way.port())) {
			Visitor alice = Visitor.registered(site);
			try (EventStream home = alice.open("/live/home")) {
				home.await((event) -> true);
				FanOutWait.settle(site);
				LogPosition last = site.bean(CommitLog.class).head().blockOptional(LIMIT).orElseThrow();
				try (Interception held = way.at(SentCommand.named("XRANGE").and(SentCommand.with(Keys.LOG)))
					.holdCommand()) {
					held.awaitMet();
					add(site, last.millis() + 1, alice, 1);
					add(site, last.millis() + 3, alice, 3);
					site.redis()
						.publish(Keys.BUS,
								last + " " + (last.millis() + 2) + "-0 "
										+ unread(alice, 2).entrySet()
											.stream()
											.map((field) -> field.getKey() + " " + field.getValue())
											.collect(Collectors.joining(" ")));
					home.await((event) -> event.name().equals("notify") && event.data().contains(":2"));
				}
				home.await((event) -> event.name().equals("reset"));
				assertThat(home.events("notify")).hasSize(1);
			}
		}
	}

	private static void add(Site site, long millis, Visitor user, int number) {
		site.redis().xadd(Keys.LOG, new XAddArgs().id(millis + "-0"), unread(user, number));
	}

	/** An entry of the log. */
	private static Map<String, String> unread(Visitor user, int number) {
		Map<String, String> fields = new LinkedHashMap<>();
		fields.put("nonce", "n" + number);
		fields.put("n", Integer.toString(1_000 + number));
		fields.put("type", "notify");
		fields.put("user", user.id());
		fields.put("facts", "{\"unread\":" + number + "}");
		return fields;
	}

	@Test
	@Tag("slow")
	void aDeadSubscriptionWithAnOpenSocketIsReplaced(@OwnRedis TestRedis redis) {
		try (FaultProxy proxy = redis.proxy(); Site site = Site.start(new BehindProxy(redis, proxy))) {
			Visitor alice = Visitor.registered(site);
			try (EventStream home = alice.open("/live/home")) {
				home.awaitPost(alice.post("heard"));
				Interception silence = proxy.silence("SUBSCRIBE");
				home.awaitPost(alice.post("read, not heard"));
				assertThat(silence.met()).as("messages that the dead subscription did not deliver").isPositive();
				Awaitility.await("a new subscription").atMost(LIMIT).until(() -> subscriptions(redis) == 1);
				home.awaitPost(alice.post("heard again"));
				assertThat(home.events("post")).hasSize(3);
			}
		}
	}

	@Test
	void aStreamIsAnsweredAndEndedAtOnceWhileRedisIsAway(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			Visitor alice = Visitor.registered(site);
			try (EventStream everyone = alice.open("/live/public")) {
				redis.kill();
				Visitor bob = Visitor.of(site);
				for (EventStream stream : List.of(alice.open("/live/home"), bob.open("/live/@somebody"),
						bob.open("/live/public?after=1-1.x"))) {
					assertThat(stream.status()).isEqualTo(200);
					assertThat(stream.header("Content-Type")).startsWith("text/event-stream");
				}
				try (EventStream home = alice.open("/live/home")) {
					home.awaitEnd();
					assertThat(home.events()).isEmpty();
					assertThat(Integer.valueOf(home.retry())).isBetween(500, 5000);
				}
				assertThat(everyone.isEnded()).as("an open stream waits for Redis").isFalse();
			}
		}
	}

	private static String postWhenBack(Visitor visitor) {
		visitor.get("/register");
		String[] id = { "" };
		Awaitility.await("a post after the restart").atMost(LIMIT).until(() -> {
			Answer answer = visitor.postJson("body", "after", "once", "after");
			if (answer.status() == 201) {
				id[0] = answer.json().get("posts").get(0).get("id").asString();
			}
			return answer.status() == 201;
		});
		return id[0];
	}

	/** Number of subscribers of the bus, as Redis counts them. */
	private static int subscriptions(TestRedis redis) throws IOException {
		String length = command(redis, "PUBSUB NUMSUB {live}:bus", 4);
		return Integer.parseInt(length.substring(1));
	}

	private static String command(TestRedis redis, String command) throws IOException {
		return command(redis, command, 1);
	}

	/** The line of the answer with the given number. */
	private static String command(TestRedis redis, String command, int number) throws IOException {
		try (Socket socket = new Socket(redis.host(), redis.port())) {
			socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
			BufferedReader lines = new BufferedReader(
					new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
			for (int i = 1; i < number; i++) {
				lines.readLine();
			}
			return String.valueOf(lines.readLine());
		}
	}

	/**
	 * A server that the site reaches through a proxy.
	 *
	 * @param redis the server
	 * @param proxy the proxy in front of it
	 */
	private record BehindProxy(TestRedis redis, FaultProxy proxy) implements TestRedis {

		@Override
		public String host() {
			return "127.0.0.1";
		}

		@Override
		public int port() {
			return this.proxy.port();
		}

		@Override
		public void pause() {
			this.redis.pause();
		}

		@Override
		public void resume() {
			this.redis.resume();
		}

		@Override
		public void kill() {
			this.redis.kill();
		}

		@Override
		public void restart() {
			this.redis.restart();
		}

		@Override
		public void close() {
			this.redis.close();
		}

	}

}
