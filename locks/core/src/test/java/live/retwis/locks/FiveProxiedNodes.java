package live.retwis.locks;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;

/**
 * Base class of tests that hold up commands to the five nodes, or their answers.
 */
abstract class FiveProxiedNodes extends FiveNodes {

	/** A node time-out that is longer than any command is held up. */
	static final Duration PATIENT = Duration.ofSeconds(5);

	final ProxiedNodes proxied = new ProxiedNodes(this.nodes);

	@AfterEach
	void closeProxies() {
		heal();
		this.proxied.close();
	}

	RedLock open(Engine engine, Duration nodeTimeout) {
		return open(engine, nodeTimeout, FenceRegister.NONE);
	}

	RedLock open(Engine engine, Duration nodeTimeout, FenceRegister fence) {
		return open(engine, nodeTimeout, fence, LockListener.NONE);
	}

	RedLock open(Engine engine, Duration nodeTimeout, FenceRegister fence, LockListener listener) {
		return this.proxied.open(new LockSettings(this.nodes.uris(), nodeTimeout, engine), fence, listener);
	}

	/** The number of the first four nodes that have the owner's key. */
	long holders(String owner) {
		return List.of(1, 2, 3, 4).stream().filter((number) -> this.nodes.owner(number, NAME).equals(owner)).count();
	}

}
