package live.retwis.locks.nodes.proxy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import live.retwis.locks.nodes.testing.TestRedis;
import org.junit.jupiter.api.Test;

import static live.retwis.locks.nodes.proxy.SentCommand.named;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Faults of whole connections, and what passes without any.
 */
class FaultProxyTests extends ProxiedClient {

	FaultProxyTests(TestRedis redis) {
		super(redis);
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
	void losesAllThatTheServerSaysAndCountsIt() {
		Interception lost = this.proxy.loseReplies();
		this.client.say("SET", "a", "1");
		this.client.say("SET", "b", "1");
		lost.awaitMet(2);
		assertThat(this.client.hearsNothing()).isTrue();
		assertThat(lost.bytes()).isEqualTo(10);
		assertThat(this.witness.ask("EXISTS", "a", "b")).isEqualTo(":2");
	}

	/** More than the proxy and the buffers of all sockets together. */
	@Test
	void aClientThatReadsLateMissesNothing() {
		String big = "x".repeat(1 << 20);
		int replies = 64;
		assertThat(this.client.ask("SET", "big", big)).isEqualTo("+OK");
		Interception seen = this.proxy.at(named("GET")).watch();
		for (int i = 0; i < replies; i++) {
			this.client.say("GET", "big");
		}
		seen.awaitMet(replies);
		for (int i = 0; i < replies; i++) {
			assertThat(this.client.hear()).hasSize("$1048576 ".length() + big.length());
		}
	}

	@Test
	void aBlackHoleStopsBothDirectionsAndAcceptsNewConnections() {
		Interception hole = this.proxy.blackHole();
		this.client.say("SET", "key", "1");
		hole.awaitMet();
		try (RespConversation second = new RespConversation(this.proxy.port())) {
			second.say("PING");
			hole.awaitMet(2);
			assertThat(hole.bytes()).isEqualTo(29 + 14);
			assertThat(this.witness.ask("GET", "key")).isEqualTo("$-1");
			hole.close();
			assertThat(this.client.hear()).isEqualTo("+OK");
			assertThat(second.hear()).isEqualTo("+PONG");
		}
	}

	@Test
	void aCutBreaksConnectionsAndRefusesNewOnesUntilItIsClosed() {
		int port = this.proxy.port();
		for (int i = 0; i < 20; i++) {
			try (RespConversation cut = new RespConversation(port)) {
				assertThat(cut.ask("PING")).isEqualTo("+PONG");
				FaultHandle fault = this.proxy.cut();
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
	void messagesToSubscribersAreNoRepliesAndCanBeSilenced() {
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
		assertThatIllegalStateException().isThrownBy(() -> this.proxy.silence("PSUBSCRIBE"));
	}

	@Test
	void countsCommandsAndRoundTrips() {
		Interception gets = this.proxy.at(named("GET")).watch();
		try (RoundTripCountingDelay far = this.proxy.countRoundTrips(Duration.ofMillis(50))) {
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
				FaultProxy way = FaultProxy.ofBytes("127.0.0.1", server.getLocalPort());
				Socket browser = new Socket("127.0.0.1", way.port());
				Socket accepted = server.accept()) {
			browser.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
			assertThat(accepted.getInputStream().readNBytes(18)).asString().isEqualTo("GET / HTTP/1.1\r\n\r\n");
			accepted.getOutputStream().write("HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.US_ASCII));
			accepted.close();
			assertThat(browser.getInputStream().readAllBytes()).asString().isEqualTo("HTTP/1.1 200 OK\r\n");
		}
	}

}
