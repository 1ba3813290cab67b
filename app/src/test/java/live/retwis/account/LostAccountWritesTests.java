package live.retwis.account;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import live.retwis.fanout.FanOutDispatcher;
import live.retwis.fanout.FanOutTask;
import live.retwis.locks.Lease;
import live.retwis.locks.LockOptions;
import live.retwis.locks.RedLock;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.CommitLog;
import live.retwis.log.Intent;
import live.retwis.log.LogEntry;
import live.retwis.redis.Keys;
import live.retwis.redis.RedisErrorClassifier;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.test.StepVerifier;

import org.springframework.dao.QueryTimeoutException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * A fail-over of one node of a cluster has lost a write on a user's own keys. What other
 * nodes know of the write is still there.
 */
@ExtendWith(RedisExtension.class)
class LostAccountWritesTests {

	private static final Duration BOUND = Duration.ofSeconds(10);

	private final Site site = Site.shared();

	private final Visitor user = Visitor.registered(this.site);

	@Test
	void anAccountWhoseDeletionIsLostAfterItWasLoggedIsDeletedAgain() {
		this.user.post("that goes with the account");
		FanOutWait.settle(this.site);
		this.site.bean(CommitLog.class).accountClosed(this.user.id()).block(BOUND);
		Awaitility.await()
			.atMost(BOUND)
			.until(() -> this.site.redis().exists(Keys.username(this.user.name()), Keys.postsOf(this.user.id())) == 0);
		assertThat(this.site.redis().hget(Keys.user(this.user.id()), "password")).isNull();
	}

	@Test
	void anAccountWhoseDeletionIsLostIsDeletedAgainWhenItsLockIsFree() {
		FanOutWait.settle(this.site);
		Lease other = this.site.bean(RedLock.class)
			.tryAcquire(Keys.user(this.user.id()), LockOptions.of(BOUND, Duration.ZERO))
			.blockOptional()
			.orElseThrow();
		FanOutTask task = new FanOutTask("", LogEntry.Type.CLOSED, "", this.user.id(), 0, 0, 1, false);
		StepVerifier.create(this.site.bean(FanOutDispatcher.class).apply(task))
			.expectErrorMatches(RedisErrorClassifier::isAway)
			.verify(BOUND);
		other.release().block(BOUND);
	}

	@Test
	void aDeletionThatIsMadeAgainWithoutItsLeaseIsNotTakenForDone(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site behind = Site.startAt("127.0.0.1", way.port())) {
			Visitor leaver = Visitor.registered(behind);
			AccountDeletion deletion = behind.bean(AccountDeletion.class);
			String fence = Keys.fence(Keys.user(leaver.id()));
			try (Interception close = way
				.at(SentCommand.named("EVALSHA", "EVAL")
					.and(SentCommand.with(Keys.user(leaver.id())))
					.and(SentCommand.with(fence)))
				.holdCommand()) {
				CompletableFuture<Void> repeated = deletion.repeat(leaver.id()).toFuture();
				close.awaitMet();
				behind.redis().del(fence);
				close.close();
				assertThatThrownBy(() -> repeated.get(BOUND.toSeconds(), TimeUnit.SECONDS))
					.hasCauseInstanceOf(QueryTimeoutException.class);
			}
			deletion.repeat(leaver.id()).block(BOUND);
			assertThat(behind.redis().hget(Keys.user(leaver.id()), "state")).isEqualTo(AccountStateRepository.DELETED);
			deletion.repeat(leaver.id()).block(BOUND);
		}
	}

	@Test
	void theNameOfADeletedAccountIsNotFreeBeforeItsDataIsRemoved() {
		this.site.redis().hset(Keys.user(this.user.id()), "state", AccountStateRepository.DELETED);
		Intent intent = Intent.of(Intent.Kind.REGISTRATION, this.user.id(), this.user.name());
		this.site.bean(Registration.class).finish(intent).block(BOUND);
		assertThat(this.site.redis().get(Keys.username(this.user.name()))).isEqualTo(this.user.id());
	}

	@Test
	void aNameWhoseUserIsLostIsFreeAgain() {
		this.site.redis().del(Keys.user(this.user.id()));
		Intent intent = Intent.of(Intent.Kind.REGISTRATION, this.user.id(), this.user.name());
		this.site.bean(Registration.class).finish(intent).block(BOUND);
		assertThat(this.site.redis().exists(Keys.username(this.user.name()))).isZero();
	}

}
