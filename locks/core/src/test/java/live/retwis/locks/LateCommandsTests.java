package live.retwis.locks;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import live.retwis.locks.nodes.proxy.CommandFailpoint;
import live.retwis.locks.nodes.proxy.FaultHandle;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Releases and extensions that arrive late, or before earlier commands.
 */
class LateCommandsTests extends FiveProxiedNodes {

	private static final LockOptions BRIEF = LockOptions.of(Duration.ofSeconds(2), Duration.ZERO);

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aVoteThatTimedOutIsNotReleasedWhileTheLockIsHeld(Engine engine) {
		RedLock locks = open(engine, Duration.ofSeconds(1));
		Interception releases = this.proxied.proxy(3).at(ProxiedNodes.RELEASE).watch();
		Interception late = this.proxied.proxy(3).at(ProxiedNodes.ACQUIRE).holdReply();
		Lease lease = acquire(locks);
		TestNodes.await().until(() -> List.copyOf(lease.outcomes().values()).get(2) == NodeOutcome.TIMEOUT);
		late.close();
		TestNodes.awaitAllUp(locks);
		TestNodes.await().until(() -> !this.nodes.owners(NAME).contains(""));
		lease.extend().block(BOUND);
		assertThat(this.nodes.owners(NAME)).containsOnly(lease.owner());
		assertThat(releases.met()).isZero();
		lease.release().block(BOUND);
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
		assertThat(releases.met()).isPositive();
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void commandsLostWithAConnectionDoNotCountAgainstTheReconnectedNode(Engine engine) {
		RedLock locks = open(engine, Duration.ofSeconds(1));
		Lease lease = acquire(locks);
		TestNodes.await().until(() -> !this.nodes.owners(NAME).contains(""));
		Interception lost = this.proxied.proxy(5).at(ProxiedNodes.RELEASE).nth(1).loseCommand();
		lease.release().block(BOUND);
		lost.awaitMet();
		FaultHandle cut = this.proxied.proxy(5).cut();
		TestNodes.await().until(() -> !locks.nodes().get(4).isUp());
		cut.close();
		TestNodes.awaitAllUp(locks);
		Interception noMoreLooks = this.proxied.proxy(5).at(SentCommand.named("INFO")).holdReply();
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
		assertThat(locks.nodes().get(4).isUp()).isTrue();
		assertThat(noMoreLooks.met()).isZero();
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aNodeThatIsBackGetsTheReleasesItMissedBeforeAnyNewAcquisition(Engine engine) {
		MajorityRedLock locks = (MajorityRedLock) open(engine, PATIENT);
		List<Lease> leases = acquireMany(locks);
		FaultHandle cut = this.proxied.proxy(5).cut();
		TestNodes.await().until(() -> !locks.nodes().get(4).isUp());
		releaseAndComeBack(locks, leases, cut::close);
	}

	@ParameterizedTest
	@Tag("slow")
	@Tag("long")
	@EnumSource(Engine.class)
	void aNodeThatIsBackGetsTheReleasesThatTimedOutBeforeAnyNewAcquisition(Engine engine) {
		MajorityRedLock locks = (MajorityRedLock) open(engine, Duration.ofSeconds(1));
		List<Lease> leases = acquireMany(locks);
		Interception lost = this.proxied.proxy(5).at(ProxiedNodes.RELEASE).loseCommand();
		releaseAndComeBack(locks, leases, () -> {
			FaultHandle cut = this.proxied.proxy(5).cut();
			lost.close();
			cut.close();
		});
	}

	/** More leases than the releases that are sent again at once. */
	private List<Lease> acquireMany(RedLock locks) {
		List<Lease> leases = IntStream.range(0, 200)
			.mapToObj((number) -> locks.tryAcquire("name" + number, AT_ONCE).blockOptional(BOUND).orElseThrow())
			.toList();
		String last = leases.get(leases.size() - 1).resource();
		TestNodes.await().until(() -> !this.nodes.owners(last).contains(""));
		return leases;
	}

	/** Node 5 misses the releases and comes back, at first slowly. */
	private void releaseAndComeBack(MajorityRedLock locks, List<Lease> leases, Runnable comeBack) {
		leases.forEach((lease) -> lease.release().block(BOUND));
		TestNodes.await().until(() -> locks.unfinished() == 0);
		Interception again = this.proxied.proxy(5).at(ProxiedNodes.RELEASE).watch();
		this.proxied.proxy(5).delay(Duration.ofMillis(20));
		comeBack.run();
		TestNodes.awaitAllUp(locks);
		String last = leases.get(leases.size() - 1).resource();
		Lease next = locks.tryAcquire(last, AT_ONCE).blockOptional(BOUND).orElseThrow();
		TestNodes.await().until(() -> outcomeOfFive(next) != NodeOutcome.NOT_ASKED);
		assertThat(outcomeOfFive(next)).isNotEqualTo(NodeOutcome.TAKEN);
		again.awaitMet(leases.size());
		next.release().block(BOUND);
		TestNodes.await()
			.until(() -> leases.stream().allMatch((lease) -> this.nodes.owner(5, lease.resource()).isEmpty()));
	}

	private static NodeOutcome outcomeOfFive(Lease lease) {
		return List.copyOf(lease.outcomes().values()).get(4);
	}

	/** Two threads send the commands, so they may arrive in another order. */
	@Test
	void aReleaseIsNotSentBeforeItsAcquisitionIsAnswered() {
		RedLock locks = open(Engine.PARALLEL, PATIENT);
		Interception late = this.proxied.proxy(5).at(ProxiedNodes.ACQUIRE).nth(1).holdReply();
		Interception releases = this.proxied.proxy(5).at(ProxiedNodes.RELEASE).watch();
		Interception another = this.proxied.proxy(5)
			.at(ProxiedNodes.ACQUIRE.and(SentCommand.with("lock:another")))
			.watch();
		acquire(locks).release().block(BOUND);
		locks.tryAcquire("another", AT_ONCE).block(BOUND);
		another.awaitMet();
		late.awaitMet();
		assertThat(releases.met()).isZero();
		late.close();
		releases.awaitMet();
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
	}

	/**
	 * Nodes 4 and 5 vote late and one node does not vote. So a majority needs one of the
	 * late nodes.
	 */
	@Test
	void anOwnerIsNotRefusedByANodeThatHasNotReceivedItsReleaseYet() {
		RedLock locks = open(Engine.PARALLEL, PATIENT);
		List<Interception> late = Stream.of(4, 5)
			.map((number) -> this.proxied.proxy(number).at(ProxiedNodes.ACQUIRE).nth(1).holdReply())
			.toList();
		acquire(locks).release().block(BOUND);
		this.proxied.proxy(1).at(ProxiedNodes.ACQUIRE).holdCommand();
		Mono<Lease> next = locks.tryAcquire(NAME, AT_ONCE).cache();
		next.subscribe();
		TestNodes.await().until(() -> holders("") == 1);
		late.forEach(Interception::close);
		assertThat(next.blockOptional(BOUND)).isPresent();
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aNodeThatWasSentAReleaseHasNoVoteWhateverTheOrderOfTheAnswers(Engine engine) {
		RedLock locks = open(engine, PATIENT);
		Lease lease = acquire(locks);
		awaitVotes(lease, 5);
		List<Interception> votes = this.proxied.each(ProxiedNodes.EXTEND, CommandFailpoint::holdReply);
		StepVerifier extension = StepVerifier.create(lease.extend()).expectError(LeaseExpired.class).verifyLater();
		votes.forEach(Interception::awaitMet);
		Mono<Void> released = lease.release().cache();
		released.subscribe();
		votes.forEach(Interception::close);
		extension.verify(BOUND);
		released.block(BOUND);
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void aReleaseThatANodeAnsweredWithAnErrorIsSentAgain(Engine engine) {
		MajorityRedLock locks = (MajorityRedLock) open(engine, PATIENT);
		Interception releases = this.proxied.proxy(1).at(ProxiedNodes.RELEASE).watch();
		this.proxied.proxy(1).at(ProxiedNodes.RELEASE).nth(2).rewriteReply((reply) -> "-MISCONF cannot write\r\n");
		acquire(locks).release().block(BOUND);
		// Else the node might not be asked for the key again, and be sent no release.
		TestNodes.await().until(() -> locks.unfinished() == 0);
		acquire(locks).release().block(BOUND);
		releases.awaitMet(3);
	}

	@ParameterizedTest
	@Tag("slow")
	@Tag("long")
	@EnumSource(Engine.class)
	void aLateExtensionOfAnExpiredOwnerDoesNotChangeTheNextLease(Engine engine) {
		RedLock slow = open(engine, PATIENT);
		RedLock quick = this.nodes.open(engine);
		acquire(slow, BRIEF).extend().block(BOUND);
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
		Lease lapsing = acquire(slow, BRIEF);
		awaitVotes(lapsing, 5);
		List<Interception> delayed = this.proxied.each(ProxiedNodes.EXTEND, CommandFailpoint::holdCommand);
		StepVerifier extension = StepVerifier.create(lapsing.extend()).expectError(LeaseExpired.class).verifyLater();
		delayed.forEach(Interception::awaitMet);
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
		Lease successor = acquire(quick);
		TestNodes.await().until(() -> !this.nodes.owners(NAME).contains(""));
		delayed.forEach(Interception::close);
		extension.verify(BOUND);
		assertThat(this.nodes.owners(NAME)).containsOnly(successor.owner());
		for (int number = 1; number <= 5; number++) {
			assertThat(this.nodes.millisToLive(number, NAME)).isGreaterThan(5000);
		}
	}

	@ParameterizedTest
	@Tag("slow")
	@EnumSource(Engine.class)
	void anExpiredOwnerDoesNotReleaseTheNextLease(Engine engine) {
		RedLock locks = this.nodes.open(engine);
		Lease lapsed = acquire(locks, BRIEF);
		TestNodes.await().until(() -> this.nodes.areFree(NAME));
		Lease successor = acquire(locks);
		TestNodes.await().until(() -> !this.nodes.owners(NAME).contains(""));
		lapsed.release().block(BOUND);
		locks.close().block(BOUND);
		assertThat(this.nodes.owners(NAME)).containsOnly(successor.owner());
	}

	/**
	 * Whether the command sets an expiry without asking for the owner or for the absence
	 * of the key.
	 */
	private static boolean isBlindExpiry(String command) {
		return command.contains("pexpire") && !command.contains("exists");
	}

	@ParameterizedTest
	@EnumSource(Engine.class)
	void neverSetsAnExpiryWithoutComparingTheOwner(Engine engine) throws Exception {
		try (CommandMonitor node = new CommandMonitor(this.nodes.node(1).port());
				RawRedLock raw = new RawRedLock(this.nodes)) {
			raw.tryLock(NAME, Duration.ofMillis(100));
			assertThat(node.commands()).anyMatch(LateCommandsTests::isBlindExpiry);
			TestNodes.await().until(() -> this.nodes.areFree(NAME));
			RedLock locks = this.nodes.open(engine);
			node.commands();
			Lease lease = acquire(locks);
			lease.extend().block(BOUND);
			lease.release().block(BOUND);
			locks.close().block(BOUND);
			assertThat(node.commands()).contains("eval hexists del").noneMatch(LateCommandsTests::isBlindExpiry);
		}
	}

}
