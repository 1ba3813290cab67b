package live.retwis.locking;

import java.util.List;

import io.micrometer.core.instrument.MeterRegistry;
import live.retwis.locks.LockSettings;
import live.retwis.locks.MicrometerLockListener;
import live.retwis.locks.NodeTls;
import live.retwis.locks.RedLock;
import live.retwis.startup.StartupException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Creates the locks of this instance. Spring closes them after everything that uses them.
 * Then releases that are under way get some time. A lease that is still held stays until
 * it is over.
 */
@Configuration(proxyBeanMethods = false)
class LockConfiguration {

	static final String ACTION = "Set retwis.locks.nodes to an odd number of independent Redis servers, for example "
			+ "redis://10.0.0.1:6379,redis://10.0.0.2:6379,redis://10.0.0.3:6379, the same on every instance.";

	private static final String BUNDLE = "retwis.locks.ssl-bundle";

	@Bean
	LockSettings lockSettings(LockProperties properties, SslBundles bundles) {
		if (properties.nodes().isEmpty()) {
			throw new StartupException("retwis.locks.nodes is not set.", ACTION);
		}
		NodeTls tls = tls(properties.sslBundle(), bundles);
		LockSettings settings;
		try {
			properties.options();
			settings = new LockSettings(properties.nodes(), properties.nodeTimeout(), properties.engine(), tls);
		}
		catch (IllegalArgumentException ex) {
			throw new StartupException("retwis.locks.nodes and its time-outs cannot be used: " + ex.getMessage() + ".",
					ACTION);
		}
		if (tls != NodeTls.OF_JVM && !settings.usesTls()) {
			throw new StartupException(BUNDLE + " is set, but no address in retwis.locks.nodes begins with rediss://.",
					"Let the addresses of nodes with TLS begin with rediss://, or remove " + BUNDLE + ".");
		}
		return settings;
	}

	private static NodeTls tls(@Nullable String name, SslBundles bundles) {
		if (name == null || name.isEmpty()) {
			return NodeTls.OF_JVM;
		}
		if (!bundles.getBundleNames().contains(name)) {
			throw new StartupException(BUNDLE + " is " + name + ", but there is no such bundle.",
					"Set spring.ssl.bundle.pem." + name
							+ ".truststore.certificate to the authorities that signed the lock nodes' certificates, or "
							+ BUNDLE + " to the name of a bundle that exists.");
		}
		try {
			SslBundle bundle = bundles.getBundle(name);
			return new NodeTls(bundle.getManagers().getTrustManagerFactory(),
					bundle.getManagers().getKeyManagerFactory(), names(bundle.getOptions().getEnabledProtocols()),
					names(bundle.getOptions().getCiphers()));
		}
		catch (RuntimeException ex) {
			throw new StartupException(BUNDLE + " is " + name + ", which cannot be read: " + ex.getMessage(),
					"Correct the files that are named in spring.ssl.bundle.pem." + name + ".*.");
		}
	}

	private static List<String> names(String @Nullable [] names) {
		return (names != null) ? List.of(names) : List.of();
	}

	@Bean
	RedLock locks(LockSettings settings, RedisFence fence, MeterRegistry meters) {
		MicrometerLockListener metrics = new MicrometerLockListener(meters);
		RedLock locks = RedLock.open(settings, fence, metrics);
		metrics.watch(locks);
		return locks;
	}

}
