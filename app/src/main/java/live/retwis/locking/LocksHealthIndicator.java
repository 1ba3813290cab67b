package live.retwis.locking;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import live.retwis.locks.NodeState;
import live.retwis.locks.RedLock;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Reports the state of each lock node. The status is always up, because without a quorum
 * only a few things have to wait: registering, changing a password, ending the sessions
 * of other devices, and deleting, suspending and restoring accounts.
 */
@Component
class LocksHealthIndicator implements HealthIndicator {

	private final RedLock locks;

	LocksHealthIndicator(RedLock locks) {
		this.locks = locks;
	}

	private static boolean isUp(NodeState node) {
		return node.health() == NodeState.Health.UP;
	}

	@Override
	public Health health() {
		List<NodeState> nodes = this.locks.nodes();
		long up = nodes.stream().filter(LocksHealthIndicator::isUp).count();
		Map<String, String> states = nodes.stream()
			.collect(Collectors.toMap(NodeState::name, LocksHealthIndicator::text));
		return Health.up()
			.withDetail("quorum", (up > nodes.size() / 2) ? "held" : "lost")
			.withDetail("nodes", states)
			.build();
	}

	private static String text(NodeState node) {
		return switch (node.health()) {
			case UP -> "up";
			case NOT_REACHED -> "not reached: " + node.reason();
			case WRONG -> "wrong: " + node.reason();
		};
	}

}
