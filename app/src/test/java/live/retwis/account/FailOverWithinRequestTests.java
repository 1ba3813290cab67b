package live.retwis.account;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import live.retwis.locks.nodes.proxy.FaultHandle;
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
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A fail-over that is over before the request is. The new master lacks the last write,
 * and answers the next one. Here the connection breaks at that one, and the write is
 * undone.
 */
@ExtendWith(RedisExtension.class)
class FailOverWithinRequestTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

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
	@Tag("slow")
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

	@Test
	@Tag("slow")
	void nobodyIsToldThatAnAccountIsDeletedWhoseDeletionIsLost(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site behind = Site.startAt("127.0.0.1", way.port());
				Site direct = Site.start(redis)) {
			Visitor alice = Visitor.registered(behind);
			String user = Keys.user(alice.id());
			Map<String, String> before = direct.redis().hgetall(user);
			Answer answer;
			try (Interception cut = failOverAt(way, (command) -> "deleted".equals(direct.redis().hget(user, "state")),
					() -> direct.redis().hset(user, before))) {
				answer = alice.submit("/settings/delete", "password", Visitor.PASSWORD);
			}
			assertThat(this.done).isTrue();
			assertThat(answer.status()).isEqualTo(503);
			Visitor again = Visitor.of(direct);
			again.get("/login");
			assertThat(again.signIn(alice.name(), Visitor.PASSWORD).status()).isEqualTo(303);
		}
	}

	@Test
	void nobodyIsToldThatAPasswordIsChangedWhoseChangeIsLost(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site behind = Site.startAt("127.0.0.1", way.port());
				Site direct = Site.start(redis)) {
			Visitor alice = Visitor.registered(behind);
			String user = Keys.user(alice.id());
			Map<String, String> before = direct.redis().hgetall(user);
			String changed = Integer.toString(Integer.parseInt(before.get("auth")) + 1);
			Answer answer;
			try (Interception cut = failOverAt(way, (command) -> changed.equals(direct.redis().hget(user, "auth")),
					() -> {
						direct.redis().del(user);
						direct.redis().hset(user, before);
					})) {
				answer = changePassword(alice);
			}
			assertThat(this.done).isTrue();
			assertThat(answer.status()).isEqualTo(503);
			Visitor again = Visitor.of(direct);
			again.get("/login");
			assertThat(again.signIn(alice.name(), Visitor.PASSWORD).status()).isEqualTo(303);
		}
	}

	private static Answer changePassword(Visitor visitor) {
		String changed = "another horse battery";
		return visitor.submit("/settings/password", "old", Visitor.PASSWORD, "password", changed, "password2", changed);
	}

	/**
	 * On a cluster the node of the log may lose an intent, while other nodes keep what
	 * the write has changed.
	 */
	@ParameterizedTest
	@Tag("slow")
	@Tag("long")
	@EnumSource
	void anIntentThatIsLostBeforeTheLogIsToldIsDeclaredAgain(Write write, @OwnRedis TestRedis redis) {
		assertOneIntentIsLeft(write, redis, (direct) -> direct.redis().del(Keys.INTENTS));
	}

	/** Two would be finished twice. The first one would forget the user's own browser. */
	@ParameterizedTest
	@Tag("slow")
	@Tag("long")
	@EnumSource
	void anIntentThatIsDeclaredAgainTakesThePlaceOfTheFirst(Write write, @OwnRedis TestRedis redis) {
		assertOneIntentIsLeft(write, redis, (direct) -> {
		});
	}

	private void assertOneIntentIsLeft(Write write, TestRedis redis, Consumer<Site> failOver) {
		try (FaultProxy way = redis.proxy();
				Site behind = Site.startAt("127.0.0.1", way.port(), "--retwis.fan-out.worker=false");
				Site direct = Site.start(redis, "--retwis.fan-out.worker=false")) {
			Visitor alice = Visitor.registered(behind);
			List<String> lost = new ArrayList<>();
			try (Interception cut = failOverAt(way,
					SentCommand.with(write.key)
						.and((command) -> StoredIntents.open(direct)
							.stream()
							.anyMatch((intent) -> write.isLast(command, intent))),
					() -> {
						lost.addAll(StoredIntents.open(direct));
						failOver.accept(direct);
					})) {
				write.begin.accept(alice);
			}
			assertThat(this.done).isTrue();
			assertThat(lost).hasSize(1);
			Awaitility.await()
				.atMost(BOUND)
				.until(() -> direct.redis().zrange(Keys.INTENTS, 0, -1),
						(intents) -> intents.size() == 1 && intents.get(0).startsWith(write.left.apply(lost.get(0))));
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aDeletionThatAFailOverLosesAfterItWasToldIsMadeAgain(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site behind = Site.startAt("127.0.0.1", way.port());
				Site direct = Site.start(redis)) {
			Visitor alice = Visitor.registered(behind);
			String id = alice.id();
			String user = Keys.user(id);
			Map<String, String> before = direct.redis().hgetall(user);
			List<FaultHandle> away = new ArrayList<>();
			try (Interception cut = failOverAt(way, (command) -> "deleted".equals(direct.redis().hget(user, "state")),
					() -> away.add(way.cut()))) {
				Answer answer = alice.submit("/settings/delete", "password", Visitor.PASSWORD);
				assertThat(answer.status()).as("nobody knows better").isEqualTo(303);
			}
			assertThat(this.done).isTrue();
			direct.redis().del(Keys.INTENTS);
			direct.redis().hset(user, before);
			away.forEach(FaultHandle::close);
			Awaitility.await()
				.atMost(BOUND.multipliedBy(3))
				.until(() -> "deleted".equals(direct.redis().hget(user, "state")));
			Awaitility.await().atMost(BOUND).until(() -> direct.redis().zscore(Keys.RECENT_USERS, id) == null);
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aPostThatIsNotPublishedIsNotLeftWithoutAnIntent(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site behind = Site.startAt("127.0.0.1", way.port(), "--retwis.fan-out.worker=false");
				Site direct = Site.start(redis, "--retwis.fan-out.worker=false")) {
			Visitor alice = Visitor.registered(behind);
			String once = alice.get("/home").once();
			List<FaultHandle> away = new ArrayList<>();
			try (Interception cut = failOverAt(way, SentCommand.with(Keys.once(alice.id(), once)), () -> {
				direct.redis().del(Keys.INTENTS);
				away.add(way.cut());
			})) {
				assertThat(alice.submit("/posts", "body", "hello", "once", once).status()).isEqualTo(503);
			}
			away.forEach(FaultHandle::close);
			String post = direct.keys(Keys.post("*")).get(0).substring(Keys.post("").length());
			Awaitility.await()
				.atMost(BOUND)
				.until(() -> StoredIntents.open(direct).stream().anyMatch((intent) -> intent.contains(post)));
		}
	}

	/** Writes whose last step can be left to the intent. */
	enum Write {

		DELETION((user) -> user.submit("/settings/delete", "password", Visitor.PASSWORD), "{live}:log",
				(intent) -> intent.replaceFirst("closing (.*) .*", "closed $1 ")),
		LOG_OUT((user) -> user.submit("/logout"), "{live}:log", "late "::concat),
		PASSWORD(FailOverWithinRequestTests::changePassword, "{live}:log", "late "::concat),
		REGISTRATION((user) -> user.register(Visitor.freshName(), Visitor.PASSWORD), Keys.RECENT_USERS,
				UnaryOperator.identity());

		private final Consumer<Visitor> begin;

		private final String key;

		/** How the intent begins that is left of one. */
		private final UnaryOperator<String> left;

		/**
		 * Whether it is the last command of the write, and not one of a periodic check.
		 */
		private boolean isLast(SentCommand command, String intent) {
			return this == REGISTRATION || SentCommand.containing(intent).test(command);
		}

		Write(Consumer<Visitor> begin, String key, UnaryOperator<String> left) {
			this.begin = begin;
			this.key = key;
			this.left = left;
		}

	}

}
