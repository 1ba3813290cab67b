package live.retwis.account;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import live.retwis.locks.Lease;
import live.retwis.locks.LockOptions;
import live.retwis.locks.RedLock;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.Answer;
import live.retwis.testing.LockServers;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Registering while locks cannot be taken, or while the answer to the commit is lost.
 */
@Timeout(60)
@ExtendWith(RedisExtension.class)
class RegisterPauseTests {

	private static final Duration BACK = Duration.ofSeconds(20);

	private static Answer register(Site site, String name) {
		return register(Visitor.of(site), name);
	}

	private static Answer register(Visitor visitor, String name) {
		visitor.get("/register");
		return visitor.submit("/register", "username", name, "password", Visitor.PASSWORD, "password2",
				Visitor.PASSWORD);
	}

	private static void assertPaused(Answer answer, String name) {
		assertThat(answer.status()).isEqualTo(503);
		assertThat(answer.header("Retry-After")).matches("[1-9]\\d*");
		assertThat(answer.errors())
			.containsExactly("Registration is unavailable at the moment; everything else works. Nothing was stored. "
					+ "Try again in a few seconds.");
		assertThat(answer.body()).contains("value=\"" + name + "\"").doesNotContain(Visitor.PASSWORD);
	}

	@ParameterizedTest
	@Tag("slow")
	@ValueSource(strings = { "redisson", "parallel" })
	void withoutAQuorumOnlyRegisteringPauses(String engine, @OwnRedis TestRedis redis) {
		try (LockServers locks = new LockServers(3);
				Site site = Site.start(redis, locks.setting(), "--retwis.locks.engine=" + engine)) {
			Visitor alice = Visitor.registered(site);
			Visitor bob = Visitor.registered(site);
			locks.killMajority();
			String name = Visitor.freshName();
			Answer paused = register(site, name);
			assertPaused(paused, name);
			assertThat(paused.took()).isLessThan(Duration.ofSeconds(4));
			assertThat(Visitor.ofManagement(site).get("/actuator/prometheus").body())
				.contains("retwis_registrations_total{result=\"paused\"} 1.0");
			assertThat(site.redis().exists("username:" + name)).isZero();
			assertThat(StoredIntents.open(site)).isEmpty();

			Visitor.signedIn(site, alice.name()).follow(bob);
			String post = bob.post("still here");
			assertThat(alice.get("/timeline").posts()).contains("still here");
			assertThat(Visitor.of(site).get("/posts/" + post).status()).isEqualTo(200);
			assertThat(register(site, alice.name()).status()).isEqualTo(409);

			locks.restartAll();
			Awaitility.await()
				.atMost(BACK)
				.untilAsserted(() -> assertThat(register(site, name).status()).isEqualTo(303));
		}
	}

	@Test
	void aNameWhoseLockIsTakenForTheWholeWaitGets503() {
		Site site = Site.shared();
		String name = Visitor.freshName();
		Lease other = take(site, name);
		try {
			assertPaused(register(site, name), name);
			site.redis().set("username:" + name, "0AAAAAAAAAAAA");
			assertThat(register(site, name).status()).isEqualTo(409);
		}
		finally {
			site.redis().del("username:" + name);
			other.release().block();
		}
		assertThat(register(site, name).status()).isEqualTo(303);
	}

	@Test
	void aNameThatIsRegisteredDuringTheWaitGets409() {
		Site site = Site.shared();
		String name = Visitor.freshName();
		Lease other = take(site, name);
		long before = refusals(site);
		CompletableFuture<Answer> waits = CompletableFuture.supplyAsync(() -> register(site, name));
		Awaitility.await().atMost(BACK).pollInterval(Duration.ofMillis(10)).until(() -> refusals(site) > before);
		site.redis().set("username:" + name, "0AAAAAAAAAAAA");
		other.release().block();
		assertThat(waits.join().status()).isEqualTo(409);
		assertThat(StoredIntents.open(site)).as("nothing was written")
			.noneMatch((intent) -> intent.contains(UsernameRules.fold(name)));
		site.redis().del("username:" + name);
	}

	private static Lease take(Site site, String name) {
		return site.bean(RedLock.class)
			.tryAcquire("username:" + name, LockOptions.of(BACK, Duration.ZERO))
			.blockOptional()
			.orElseThrow();
	}

	private static long refusals(Site site) {
		return site.bean(MeterRegistry.class)
			.find("retwis.locks.attempts")
			.tag("result", "taken")
			.timers()
			.stream()
			.mapToLong(Timer::count)
			.sum();
	}

	private static Predicate<SentCommand> commitOf(String name) {
		return SentCommand.named("EVALSHA", "EVAL").and(SentCommand.with("fence:{username:" + name + "}"));
	}

	@Test
	void aCommitWhoseAnswerIsLostIsComplete(@OwnRedis TestRedis redis) {
		String name = Visitor.freshName();
		try (FaultProxy way = redis.proxy(); Site site = Site.startAt("127.0.0.1", way.port())) {
			assertThat(register(site, Visitor.freshName()).status()).isEqualTo(303);
			Visitor visitor = Visitor.of(site);
			try (Interception cut = way.at(commitOf(name)).nth(1).cutAfter()) {
				assertThat(register(visitor, name).status()).isEqualTo(303);
				assertThat(cut.met()).isOne();
			}
			assertThat(visitor.isSignedIn()).isTrue();
			assertThat(Visitor.signedIn(site, name).isSignedIn()).isTrue();
		}
	}

	@Test
	void aCommitThatIsLostIsSentAgain(@OwnRedis TestRedis redis) {
		String name = Visitor.freshName();
		try (FaultProxy way = redis.proxy(); Site site = Site.startAt("127.0.0.1", way.port())) {
			assertThat(register(site, Visitor.freshName()).status()).isEqualTo(303);
			Visitor visitor = Visitor.of(site);
			try (Interception cut = way.at(commitOf(name)).nth(1).cutBefore()) {
				Answer answer = register(visitor, name);
				assertThat(cut.met()).isOne();
				assertThat(answer.status()).isEqualTo(303);
				assertThat(answer.took()).isLessThan(Duration.ofSeconds(4));
			}
			assertThat(Visitor.signedIn(site, name).isSignedIn()).isTrue();
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aCommitThatArrivesAfterTheLeaseWritesNothing(@OwnRedis TestRedis redis) {
		String name = Visitor.freshName();
		try (FaultProxy way = redis.proxy();
				Site site = Site.startAt("127.0.0.1", way.port(), "--retwis.locks.lease=3s");
				Site near = Site.start(redis, "--retwis.locks.lease=3s")) {
			assertThat(register(site, Visitor.freshName()).status()).isEqualTo(303);
			Visitor late = Visitor.of(site);
			try (Interception held = way.at(commitOf(name)).nth(1).holdCommand()) {
				Answer answer = register(late, name);
				assertThat(held.met()).isOne();
				assertThat(answer.status()).isEqualTo(503);
				assertThat(answer.took()).isLessThan(Duration.ofSeconds(4));
				Awaitility.await().atMost(BACK).until(() -> near.redis().exists("fence:{username:" + name + "}") == 0);
			}
			Awaitility.await()
				.atMost(BACK)
				.untilAsserted(() -> assertThat(Visitor.of(site).get("/timeline").status()).isEqualTo(200));
			assertThat(near.redis().exists("username:" + name)).isZero();
			assertThat(register(near, name).status()).isEqualTo(303);
		}
	}

}
