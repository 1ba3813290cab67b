package live.retwis.locks;

import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

import org.jspecify.annotations.Nullable;
import org.redisson.config.Config;
import org.redisson.config.SslVerificationMode;

/**
 * How {@code rediss://} nodes and this program prove to each other who they are. A node's
 * certificate must also be issued for the host in its address.
 *
 * @param trust the authorities, one of which must have signed a node's certificate; null
 * for those that the JVM trusts
 * @param keys this program's own certificate, for nodes that ask for one; null for none
 * @param protocols versions of TLS that may be used, such as {@code TLSv1.3}; empty for
 * those of the JVM
 * @param ciphers cipher suites that may be used; empty for those of the JVM
 */
public record NodeTls(@Nullable TrustManagerFactory trust, @Nullable KeyManagerFactory keys, List<String> protocols,
		List<String> ciphers) {

	/** Trusts what the JVM trusts, and has no certificate of its own. */
	public static final NodeTls OF_JVM = new NodeTls(null, null, List.of(), List.of());

	public NodeTls {
		protocols = List.copyOf(protocols);
		ciphers = List.copyOf(ciphers);
	}

	/**
	 * Configures a client. The first call reads the trust store of the JVM, which blocks.
	 */
	void configure(Config client) {
		client.setSslVerificationMode(SslVerificationMode.STRICT)
			// Without a factory, Redisson reads the JVM's trust store at each connect, on
			// an event loop.
			.setSslTrustManagerFactory((this.trust != null) ? this.trust : Jvm.TRUST)
			.setSslKeyManagerFactory(this.keys)
			.setSslProtocols(orNull(this.protocols))
			.setSslCiphers(orNull(this.ciphers));
	}

	private static String @Nullable [] orNull(List<String> names) {
		return names.isEmpty() ? null : names.toArray(String[]::new);
	}

	private static final class Jvm {

		private static final TrustManagerFactory TRUST = load();

		private static TrustManagerFactory load() {
			try {
				TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
				trust.init((KeyStore) null);
				return trust;
			}
			catch (GeneralSecurityException ex) {
				throw new IllegalStateException("The JVM's trust store cannot be read", ex);
			}
		}

	}

}
