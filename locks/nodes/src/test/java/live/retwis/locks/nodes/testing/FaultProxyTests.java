package live.retwis.locks.nodes.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static live.retwis.locks.nodes.testing.SentCommand.containing;
import static live.retwis.locks.nodes.testing.SentCommand.named;
import static live.retwis.locks.nodes.testing.SentCommand.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(60)
@ExtendWith(RedisExtension.class)
class FaultProxyTests {

	private final FaultProxy proxy;

	private final RespConversation client;

	/** Speaks to the server itself. */
	private final RespConversation witness;

	FaultProxyTests(TestRedis redis) {
		this.proxy = FaultProxy.to(redis);
		this.client = new RespConversation(this.proxy.port());
		this.witness = new RespConversation(redis.port());
	}

	@AfterEach
	void close() {
		this.client.close();
		this.witness.close();
		this.proxy.close();
	}

	@Test
	void passesEverythingWhileThereIsNoFault() {
		assertThat(this.client.ask("SET", "key", "*1\r\n$1\r\nx")).isEqualTo("+OK");
		assertThat(this.client.ask("GET", "key")).isEqualTo("$9 *1 $1 x");
		assertThat(this.client.ask("GET", "none")).isEqualTo("$-1");
		assertThat(this.client.ask("EVAL", "return {1,{'a',{}},false}", "0")).isEqualTo("*3 :1 *2 $1 a *0 $-1");
		assertThat(this.client.ask("NONSENSE")).startsWith("-ERR");
		assertThat(this.client.ask("HELLO", "3")).startsWith("%");
	}

	@Test
	void holdsTheNthCommandBeforeTheServerUntilReleased() {
		Interception held = this.proxy.at(named("SET").and(with("key"))).nth(2).holdCommand();
		assertThat(this.client.ask("SET", "key", "1")).isEqualTo("+OK");
		assertThat(this.client.ask("SET", "other", "1")).isEqualTo("+OK");
		this.client.say("SET", "key", "2");
		held.awaitMet();
		assertThat(held.heldBytes()).isEqualTo(29);
		assertThat(this.witness.ask("GET", "key")).isEqualTo("$1 1");
		held.close();
		assertThat(this.client.hear()).isEqualTo("+OK");
		assertThat(this.witness.ask("GET", "key")).isEqualTo("$1 2");
		assertThat(held.heldBytes()).isZero();
		assertThat(held.met()).isOne();
	}

	@Test
	void aHeldCommandArrivesThoughItsClientIsGone() {
		Interception held = this.proxy.at(named("SET")).holdCommand();
		this.client.say("SET", "key", "late");
		held.awaitMet();
		this.client.close();
		assertThat(this.witness.ask("GET", "key")).isEqualTo("$-1");
		held.close();
		Awaitility.await().untilAsserted(() -> assertThat(this.witness.ask("GET", "key")).isEqualTo("$4 late"));
		Awaitility.await().until(() -> this.proxy.connections() == 0);
	}

	@Test
	void holdsTheReplyToWhatTheServerHasDone() {
		Interception held = this.proxy.at(containing("incr")).holdReply();
		this.client.say("PING");
		this.client.say("EVAL", "return redis.call('incr', KEYS[1])", "1", "n");
		this.client.say("GET", "n");
		held.awaitMet();
		assertThat(this.client.hear()).isEqualTo("+PONG");
		assertThat(this.witness.ask("GET", "n")).isEqualTo("$1 1");
		assertThat(this.client.hearsNothing()).isTrue();
		held.close();
		assertThat(this.client.hear()).isEqualTo(":1");
		assertThat(this.client.hear()).isEqualTo("$1 1");
	}

	@Test
	void losesACommandOrAReplyWithAllThatFollows() {
		try (Interception lost = this.proxy.at(with("b")).loseReply();
				RespConversation second = new RespConversation(this.proxy.port())) {
			assertThat(this.client.ask("SET", "a", "1")).isEqualTo("+OK");
			this.client.say("SET", "b", "1");
			this.client.say("SET", "c", "1");
			lost.awaitMet();
			Awaitility.await().until(() -> this.witness.ask("GET", "c").equals("$1 1"));
			assertThat(this.client.hearsNothing()).isTrue();
			Interception never = this.proxy.at(with("d")).loseCommand();
			second.say("SET", "d", "1");
			never.awaitMet();
			never.close();
			second.say("SET", "e", "1");
			assertThat(second.hearsNothing()).isTrue();
			assertThat(this.witness.ask("EXISTS", "d", "e")).isEqualTo(":0");
		}
	}

	@Test
	void cutsTheConnectionBeforeOrAfterACommand() {
		this.proxy.at(with("before")).cutBefore();
		this.client.say("SET", "before", "1");
		assertThat(this.client.hear()).isEmpty();
		assertThat(this.witness.ask("GET", "before")).isEqualTo("$-1");
		try (RespConversation second = new RespConversation(this.proxy.port())) {
			this.proxy.at(with("after")).cutAfter();
			second.say("SET", "after", "1");
			assertThat(second.hear()).isEmpty();
			assertThat(this.witness.ask("GET", "after")).isEqualTo("$1 1");
		}
	}

	@Test
	void rewritesAReplyAndNoOther() {
		this.proxy.at(named("TIME")).rewriteReply((reply) -> "-OOM no\r\n");
		this.client.say("PING");
		this.client.say("TIME");
		this.client.say("PING");
		assertThat(this.client.hear()).isEqualTo("+PONG");
		assertThat(this.client.hear()).isEqualTo("-OOM no");
		assertThat(this.client.hear()).isEqualTo("+PONG");
	}

	@Test
	void aBlackHoleHoldsBothWaysAndTakesNewConnections() {
		Interception hole = this.proxy.blackHole();
		this.client.say("SET", "key", "1");
		hole.awaitMet();
		try (RespConversation second = new RespConversation(this.proxy.port())) {
			second.say("PING");
			hole.awaitMet(2);
			assertThat(hole.heldBytes()).isEqualTo(29 + 14);
			assertThat(this.witness.ask("GET", "key")).isEqualTo("$-1");
			hole.close();
			assertThat(this.client.hear()).isEqualTo("+OK");
			assertThat(second.hear()).isEqualTo("+PONG");
		}
	}

	@Test
	void aBlackHoleOnTheWayBackLetsCommandsThrough() {
		try (Interception hole = this.proxy.blackHole(ProxyDirection.TO_CLIENT)) {
			this.client.say("SET", "key", "1");
			hole.awaitMet();
			assertThat(this.witness.ask("GET", "key")).isEqualTo("$1 1");
			assertThat(this.client.hearsNothing()).isTrue();
		}
		assertThat(this.client.hear()).isEqualTo("+OK");
	}

	@Test
	void whatIsPutInTheWayOfAHeldCommandStopsItToo() {
		Interception held = this.proxy.at(named("SET")).holdCommand();
		this.client.say("SET", "key", "1");
		held.awaitMet();
		try (Interception hole = this.proxy.blackHole(ProxyDirection.TO_SERVER)) {
			held.close();
			hole.awaitMet();
			assertThat(this.witness.ask("GET", "key")).isEqualTo("$-1");
		}
		assertThat(this.client.hear()).isEqualTo("+OK");
	}

	@Test
	void delaysEachDirectionOnceForAllThatIsSentTogether() {
		Duration each = Duration.ofMillis(150);
		try (ProxyFault there = this.proxy.delay(ProxyDirection.TO_SERVER, each);
				ProxyFault back = this.proxy.delay(ProxyDirection.TO_CLIENT, each)) {
			long start = System.nanoTime();
			for (int i = 0; i < 20; i++) {
				this.client.say("PING");
			}
			for (int i = 0; i < 20; i++) {
				assertThat(this.client.hear()).isEqualTo("+PONG");
			}
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(each.multipliedBy(2),
					each.multipliedBy(10));
		}
	}

	@Test
	void theEndOfADelayLetsGoWhatIsOnItsWay() {
		ProxyFault delay = this.proxy.delay(ProxyDirection.TO_CLIENT, Duration.ofHours(1));
		this.client.say("SET", "key", "1");
		Awaitility.await().until(() -> this.witness.ask("GET", "key").equals("$1 1"));
		assertThat(this.client.hearsNothing()).isTrue();
		delay.close();
		assertThat(this.client.hear()).isEqualTo("+OK");
	}

	@Test
	void aCutEndsConnectionsRefusesNewOnesAndMendsOnTheSamePort() {
		int port = this.proxy.port();
		for (int i = 0; i < 3; i++) {
			try (RespConversation cut = new RespConversation(port)) {
				assertThat(cut.ask("PING")).isEqualTo("+PONG");
				ProxyFault fault = this.proxy.cut();
				assertThat(cut.hear()).isEmpty();
				assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> new RespConversation(port));
				assertThat(this.proxy.connections()).isZero();
				fault.close();
			}
		}
		try (RespConversation later = new RespConversation(port)) {
			assertThat(later.ask("PING")).isEqualTo("+PONG");
		}
	}

	@Test
	void aCutTakesAHeldCommandWithIt() {
		Interception held = this.proxy.at(named("SET")).holdCommand();
		this.client.say("SET", "key", "1");
		held.awaitMet();
		this.proxy.cut().close();
		held.close();
		assertThat(this.client.hear()).isEmpty();
		try (RespConversation second = new RespConversation(this.proxy.port())) {
			assertThat(second.ask("GET", "key")).isEqualTo("$-1");
		}
	}

	@Test
	void silencesSubscribersAndTheirMessagesBelongToNoCommand() {
		try (RespConversation subscriber = new RespConversation(this.proxy.port())) {
			assertThat(subscriber.ask("SUBSCRIBE", "news")).contains("subscribe");
			Interception pings = this.proxy.at(named("PING")).holdReply();
			this.witness.ask("PUBLISH", "news", "one");
			assertThat(subscriber.hear()).endsWith("one");
			assertThat(pings.met()).isZero();
			Interception silence = this.proxy.silence("SUBSCRIBE");
			this.witness.ask("PUBLISH", "news", "two");
			silence.awaitMet();
			assertThat(subscriber.hearsNothing()).isTrue();
			assertThat(this.client.ask("ECHO", "x")).isEqualTo("$1 x");
			silence.close();
			assertThat(subscriber.hear()).endsWith("two");
			subscriber.say("PING");
			pings.awaitMet();
			pings.close();
			assertThat(subscriber.hear()).contains("pong");
		}
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> this.proxy.silence("PSUBSCRIBE"));
	}

	@Test
	void messagesOfResp3BelongToNoCommandEither() {
		this.client.ask("HELLO", "3");
		assertThat(this.client.ask("SUBSCRIBE", "news")).startsWith(">");
		Interception pings = this.proxy.at(named("PING")).holdReply();
		this.client.say("PING");
		pings.awaitMet();
		this.witness.ask("PUBLISH", "news", "one");
		pings.close();
		assertThat(this.client.hear()).isEqualTo("+PONG");
		assertThat(this.client.hear()).endsWith("one");
		assertThat(pings.met()).isOne();
	}

	@Test
	void countsCommandsAndRoundTrips() {
		Interception gets = this.proxy.at(named("GET")).watch();
		try (RoundTrips far = this.proxy.roundTrips(Duration.ofMillis(50))) {
			this.client.say("GET", "a");
			this.client.say("GET", "b");
			this.client.hear();
			this.client.hear();
			this.client.ask("PING");
			assertThat(far.batches()).hasSize(2);
			assertThat(far.batches().get(0)).extracting(SentCommand::name).containsExactly("GET", "GET");
			assertThat(far.batches().get(1)).extracting(SentCommand::name).containsExactly("PING");
		}
		this.client.ask("GET", "c");
		assertThat(gets.met()).isEqualTo(3);
	}

	@Test
	void anotherProtocolPassesInChunks() throws IOException {
		try (ServerSocket server = new ServerSocket(0);
				FaultProxy way = FaultProxy.to("127.0.0.1", server.getLocalPort());
				Socket browser = new Socket("127.0.0.1", way.port());
				Socket accepted = server.accept()) {
			browser.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
			assertThat(accepted.getInputStream().readNBytes(18)).asString().isEqualTo("GET / HTTP/1.1\r\n\r\n");
			accepted.getOutputStream().write("HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.US_ASCII));
			accepted.close();
			assertThat(browser.getInputStream().readAllBytes()).asString().isEqualTo("HTTP/1.1 200 OK\r\n");
		}
	}

	@Test
	void awaitingWhatDoesNotHappenFails() {
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> this.proxy.at(named("SET")).holdCommand().awaitMet(1, Duration.ofMillis(50)))
			.withMessageContaining("0 of 1");
	}

}
