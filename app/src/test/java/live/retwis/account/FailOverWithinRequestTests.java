package live.retwis.account;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A fail-over that is over before the request is. The new master lacks the last write,
 * and answers the next one. Here the connection breaks at that one, and the write is
 * undone.
 */
@ExtendWith(RedisExtension.class)
class FailOverWithinRequestTests {

	private final AtomicBoolean done = new AtomicBoolean();

	/** Cuts the connection before the first script with this key, and undoes a write. */
	private Interception failOverAt(FaultProxy way, Predicate<SentCommand> which, Runnable undo) {
		return way.at(SentCommand.named("EVALSHA", "EVAL").and(which).and((command) -> {
			boolean first = this.done.compareAndSet(false, true);
			if (first) {
				undo.run();
			}
			return first;
		})).cutBefore();
	}

	@Test
	void aPostThatIsAcknowledgedIsThere(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site behind = Site.startAt("127.0.0.1", way.port());
				Site direct = Site.start(redis)) {
			Visitor alice = Visitor.registered(behind);
			String once = alice.get("/home").once();
			Answer answer;
			try (Interception cut = failOverAt(way, SentCommand.with(Keys.once(alice.id(), once)),
					() -> direct.keys(Keys.post("*")).forEach((post) -> direct.redis().del(post)))) {
				answer = alice.submit("/posts", "body", "hello", "once", once);
			}
			assertThat(this.done).isTrue();
			assertThat(answer.status()).isEqualTo(303);
			assertThat(alice.get("/home").posts()).containsExactly("hello");
		}
	}

	@Test
	void nobodyIsToldThatAllSessionsAreOverWhoseEndIsLost(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site behind = Site.startAt("127.0.0.1", way.port());
				Site direct = Site.start(redis)) {
			Visitor alice = Visitor.registered(behind);
			Visitor elsewhere = Visitor.of(direct);
			elsewhere.get("/login");
			assertThat(elsewhere.signIn(alice.name(), Visitor.PASSWORD).status()).isEqualTo(303);
			String user = Keys.user(alice.id());
			String hash = new SessionCookie(alice.id(), alice.cookie("auth").substring(alice.id().length() + 1))
				.tokenHash();
			String generation = direct.redis().hget(user, "auth");
			Answer answer;
			try (Interception cut = failOverAt(way,
					SentCommand.with(Keys.session(hash))
						.and((command) -> !generation.equals(direct.redis().hget(user, "auth"))),
					() -> direct.redis().hset(user, "auth", generation))) {
				alice.get("/home");
				answer = alice.submit("/logout");
			}
			assertThat(this.done).isTrue();
			assertThat(elsewhere.get("/home").status()).as("the other session lives").isEqualTo(200);
			assertThat(answer.location()).as("and the next page says so").startsWith("/?");
			assertThat(alice.get("/home").status()).as("this one is over").isEqualTo(303);
		}
	}

}
