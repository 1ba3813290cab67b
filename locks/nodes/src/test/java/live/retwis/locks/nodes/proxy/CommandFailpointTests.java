package live.retwis.locks.nodes.proxy;

import java.time.Duration;

import live.retwis.locks.nodes.testing.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static live.retwis.locks.nodes.proxy.SentCommand.containing;
import static live.retwis.locks.nodes.proxy.SentCommand.named;
import static live.retwis.locks.nodes.proxy.SentCommand.running;
import static live.retwis.locks.nodes.proxy.SentCommand.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Faults at single commands and replies.
 */
class CommandFailpointTests extends ProxiedClient {

	CommandFailpointTests(TestRedis redis) {
		super(redis);
	}

	@Test
	void holdsTheNthCommandBeforeTheServerUntilReleased() {
		Interception held = this.proxy.at(named("SET").and(with("key"))).nth(2).holdCommand();
		assertThat(this.client.ask("SET", "key", "1")).isEqualTo("+OK");
		assertThat(this.client.ask("SET", "other", "1")).isEqualTo("+OK");
		this.client.say("SET", "key", "2");
		held.awaitMet();
		assertThat(this.witness.ask("GET", "key")).isEqualTo("$1 1");
		held.close();
		assertThat(this.client.hear()).isEqualTo("+OK");
		assertThat(this.witness.ask("GET", "key")).isEqualTo("$1 2");
		assertThat(held.met()).isOne();
		assertThat(held.bytes()).isEqualTo(29);
	}

	@Test
	void aHeldCommandArrivesEvenIfItsClientHasGone() {
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
	void holdsTheReplyAfterTheServerExecutedTheCommand() {
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
	void losesACommandWithAllThatFollowsUntilTheConnectionBreaks() {
		Interception lost = this.proxy.at(with("b")).loseCommand();
		assertThat(this.client.ask("SET", "a", "1")).isEqualTo("+OK");
		this.client.say("SET", "b", "1");
		lost.awaitMet();
		this.client.say("SET", "c", "1");
		assertThat(this.client.hearsNothing()).isTrue();
		lost.close();
		assertThat(this.client.hear()).isEmpty();
		assertThat(this.witness.ask("EXISTS", "b", "c")).isEqualTo(":0");
	}

	@Test
	void cutsTheConnectionAfterACommand() {
		this.proxy.at(with("after")).cutAfter();
		this.client.say("SET", "after", "1");
		assertThat(this.client.hear()).isEmpty();
		assertThat(this.witness.ask("GET", "after")).isEqualTo("$1 1");
	}

	@Test
	void knowsAScriptByItsSha1() {
		String script = "return redis.call('incr', KEYS[1])";
		String sha1 = this.client.ask("SCRIPT", "LOAD", script).substring("$40 ".length());
		Interception increments = this.proxy.at(running("'incr'")).watch();
		assertThat(this.client.ask("EVALSHA", sha1, "1", "n")).isEqualTo(":1");
		assertThat(this.client.ask("EVAL", script, "1", "n")).isEqualTo(":2");
		assertThat(increments.met()).isEqualTo(2);
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
	void aFaultAddedWhileACommandIsHeldAppliesToItToo() {
		Interception held = this.proxy.at(named("SET")).holdCommand();
		this.client.say("SET", "key", "1");
		held.awaitMet();
		try (Interception hole = this.proxy.blackHole()) {
			held.close();
			hole.awaitMet();
			assertThat(this.witness.ask("GET", "key")).isEqualTo("$-1");
		}
		assertThat(this.client.hear()).isEqualTo("+OK");
	}

	@Test
	void delaysOnceAllThatIsSentTogether() {
		Duration time = Duration.ofMillis(150);
		try (Interception delay = this.proxy.delay(time)) {
			long start = System.nanoTime();
			for (int i = 0; i < 20; i++) {
				this.client.say("PING");
			}
			for (int i = 0; i < 20; i++) {
				assertThat(this.client.hear()).isEqualTo("+PONG");
			}
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(time, time.multipliedBy(10));
			assertThat(delay.met()).isEqualTo(20);
		}
	}

	@Test
	void theEndOfADelayLetsDelayedFramesPass() {
		Interception delay = this.proxy.delay(Duration.ofHours(1));
		this.client.say("SET", "key", "1");
		delay.awaitMet();
		assertThat(this.client.hearsNothing()).isTrue();
		assertThat(this.witness.ask("GET", "key")).isEqualTo("$-1");
		delay.close();
		assertThat(this.client.hear()).isEqualTo("+OK");
	}

	@Test
	void aCutAlsoLosesAHeldCommand() {
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
	void messagesOfResp3AreNoRepliesEither() {
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
	void awaitingAFaultThatDoesNotOccurFails() {
		assertThatIllegalStateException()
			.isThrownBy(() -> this.proxy.at(named("SET")).holdCommand().awaitMet(1, Duration.ofMillis(50)))
			.withMessageContaining("0 of 1");
	}

}
