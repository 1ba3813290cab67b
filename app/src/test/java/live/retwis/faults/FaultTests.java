package live.retwis.faults;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.lettuce.core.ClientListArgs;
import io.lettuce.core.KillArgs;
import live.retwis.locks.nodes.proxy.FaultHandle;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two instances serve twenty-two streams while something breaks for a moment. Most of the
 * streams are opened and closed again and again. No reader misses an acknowledged post or
 * a repost, none gets one twice, and all get them in the order of the log. None gets
 * anything of an author after the reader's mute or block of that author. In the end each
 * has the right counts of its posts and the right number of unread notifications.
 */
@Timeout(120)
class FaultTests extends TwoInstances {

	private static final Duration OFTEN = Duration.ofMillis(100);

	/** Authors who write at once, in tests where the load is part of the fault. */
	private static final int WRITERS = 64;

	private static final int ROUNDS = 20;

	private static final int KILLS = 8;

	private static final Duration LIMIT = Duration.ofSeconds(20);

	@Test
	@Tag("slow")
	void nothingIsLostWhileSocketsAreCutAtRandom() {
		List<FaultProxy> doors = Stream.of(instances.get(0), instances.get(1))
			.map((process) -> FaultProxy.ofBytes("127.0.0.1", process.port()))
			.toList();
		LoadBalancer cut = new LoadBalancer(doors.stream().map((door) -> "http://127.0.0.1:" + door.port()).toList());
		try (Workload workload = workload(cut, 8, 20)) {
			AtomicLong rounds = new AtomicLong();
			try (FaultHandle cuts = Repeated.every(OFTEN, () -> {
				doors.forEach((door) -> door.breakSome(random, 0.2));
				rounds.incrementAndGet();
			})) {
				// The slower the machine, the fewer forms get through between two cuts.
				Awaitility.await("cuts")
					.atMost(LIMIT)
					.until(() -> rounds.get() >= 4 * ROUNDS && workload.repeated() > 0);
			}
			workload.awaitPosts(300);
			workload.settle(store).assertWhole();
		}
		finally {
			doors.forEach(FaultProxy::close);
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void nothingIsLostWhileSubscriptionsAreKilledTenTimesASecond() {
		kill(KillArgs.Builder.typePubsub());
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void nothingIsLostWhileConnectionsAreKilledTenTimesASecond() {
		kill(KillArgs.Builder.typeNormal());
	}

	private static void kill(KillArgs which) {
		AtomicLong killed = new AtomicLong();
		AtomicLong rounds = new AtomicLong();
		try (Workload workload = workload(WRITERS, 100)) {
			try (FaultHandle kills = Repeated.every(OFTEN, () -> {
				killed.addAndGet(store.commands().clientKill(which));
				rounds.incrementAndGet();
			})) {
				// On a busy machine it is possible that no post gets through meanwhile.
				Awaitility.await("kills").atMost(LIMIT).until(() -> rounds.get() >= ROUNDS && killed.get() >= KILLS);
			}
			workload.awaitPosts(WRITERS);
			workload.settle(store).assertWhole();
		}
	}

	/**
	 * The server itself repeats forms that arrive meanwhile, for as long as a request may
	 * take.
	 */
	@Test
	void aDataNodeThatIsKilledAndComesBack() {
		try (Workload workload = workload(16, 20)) {
			workload.awaitPosts(50);
			store.process().kill();
			store.process().restart();
			workload.awaitPosts(100);
			workload.settle(store).assertWhole();
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void deadSubscriptionsWithOpenSocketsAreReplaced() {
		try (Workload workload = workload(8, 20)) {
			workload.awaitPosts(50);
			Set<String> before = Awaitility.await("a subscription of each")
				.atMost(LIMIT)
				.until(FaultTests::subscriptions, (now) -> now.size() == 2);
			try (Interception one = instances.way(0).silence("SUBSCRIBE");
					Interception other = instances.way(1).silence("SUBSCRIBE")) {
				one.awaitMet();
				other.awaitMet();
				Awaitility.await("others in their place")
					.atMost(LIMIT)
					.until(FaultTests::subscriptions, (now) -> now.size() == 2 && Collections.disjoint(now, before));
				workload.awaitPosts(50);
				workload.settle(store).assertWhole();
			}
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void nothingIsLostInABurstOfAThousandPosts() {
		try (Workload workload = workload(WRITERS, 0)) {
			workload.awaitPosts(1000);
			workload.settle(store).assertWhole();
		}
	}

	/** Ids of the connections with a subscription, as Redis knows them. */
	private static Set<String> subscriptions() {
		return Pattern.compile("\\bid=(\\d+)")
			.matcher(store.commands().clientList(ClientListArgs.Builder.typePubsub()))
			.results()
			.map((client) -> client.group(1))
			.collect(Collectors.toSet());
	}

}
