package live.retwis.guard;

import live.retwis.StartupProblem;
import live.retwis.locks.LockSettings;
import live.retwis.locks.RedLock;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The locks of this instance. Spring closes them last of all that uses them, and waits
 * for what is still to be given back.
 */
@Configuration(proxyBeanMethods = false)
class LockConfiguration {

	static final String ACTION = "Set retwis.locks.nodes to an odd number of independent Redis servers, for example "
			+ "redis://10.0.0.1:6379,redis://10.0.0.2:6379,redis://10.0.0.3:6379, the same on every instance.";

	@Bean
	LockSettings lockSettings(LockProperties properties) {
		if (properties.nodes().isEmpty()) {
			throw new StartupProblem("retwis.locks.nodes is not set.", ACTION);
		}
		try {
			properties.options();
			return new LockSettings(properties.nodes(), properties.nodeTimeout(), properties.engine());
		}
		catch (IllegalArgumentException ex) {
			throw new StartupProblem(ex.getMessage() + ".", ACTION);
		}
	}

	@Bean
	RedLock locks(LockSettings settings, Fence fence, LockMetrics metrics) {
		return RedLock.open(settings, fence, metrics);
	}

}
