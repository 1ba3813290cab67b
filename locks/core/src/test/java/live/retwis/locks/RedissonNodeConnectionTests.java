package live.retwis.locks;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/** How a connection examines its node. */
class RedissonNodeConnectionTests extends FiveNodes {

	@Test
	void anErrorDuringAnExaminationIsFollowedByAnother() {
		NodeAddress address = this.nodes.settings(Engine.REDISSON).addresses().get(0);
		NodeClients clients = new NodeClients(Duration.ofSeconds(1), 1, this.nodes.settings(Engine.REDISSON).tls());
		Scheduler workers = Schedulers.newSingle("examiner", true);
		AtomicBoolean failed = new AtomicBoolean();
		RedissonNodeConnection node = new RedissonNodeConnection(address, clients, (connection, facts) -> {
			if (failed.compareAndSet(false, true)) {
				throw new OutOfMemoryError("unable to create native thread");
			}
			return Optional.empty();
		}, workers.createWorker());
		try {
			node.start((up) -> {
			});
			TestNodes.await().until(() -> node.state().isUp());
			assertThat(failed).isTrue();
		}
		finally {
			node.close().toCompletableFuture().join();
			clients.close();
			workers.dispose();
		}
	}

}
