package live.retwis.locks.nodes.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate authority for tests, which uses the JDK's keytool. Its certificates are
 * for 127.0.0.1 and valid for a day. They are also written as PEM files, which Redis
 * reads.
 *
 * @param directory directory of its files
 */
public record TestAuthority(Path directory) {

	private static final String PASSWORD = "changeit";

	private static final String STORE = "keys.p12";

	private static final String NAME = "authority";

	/** Creates an authority with its files in the directory. This takes half a second. */
	public static TestAuthority create(Path directory) {
		TestAuthority authority = new TestAuthority(directory);
		authority.keytool("-alias", NAME, "-ext", "bc:critical=ca:true");
		authority.write(NAME);
		return authority;
	}

	/**
	 * Signs a certificate for a host, such as {@code ip:127.0.0.1}. This takes half a
	 * second.
	 */
	public Signed sign(String name, String host) {
		keytool("-alias", name, "-signer", NAME, "-ext", "san=" + host);
		write(name);
		return new Signed(this, name);
	}

	/** The certificate of the authority. */
	public Path certificate() {
		return this.directory.resolve(NAME + ".crt");
	}

	/** Trusts all certificates of this authority, and no others. */
	public TrustManagerFactory trust() {
		try {
			KeyStore trusted = KeyStore.getInstance("PKCS12");
			trusted.load(null, null);
			trusted.setCertificateEntry(NAME, store().getCertificate(NAME));
			TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
			trust.init(trusted);
			return trust;
		}
		catch (GeneralSecurityException | IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void keytool(String... options) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-keyalg",
						"EC", "-groupname", "secp256r1", "-validity", "1", "-dname",
						"CN=" + options[1] + " of " + this.directory.getFileName(), "-keystore", STORE, "-storetype",
						"PKCS12", "-storepass", PASSWORD));
		command.addAll(List.of(options));
		try {
			Process process = new ProcessBuilder(command).directory(this.directory.toFile())
				.redirectErrorStream(true)
				.redirectOutput(this.directory.resolve("keytool.log").toFile())
				.start();
			if (!process.waitFor(20, TimeUnit.SECONDS) || process.exitValue() != 0) {
				process.destroyForcibly();
				throw new IllegalStateException("keytool: " + Files.readString(this.directory.resolve("keytool.log")));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	private void write(String name) {
		try {
			KeyStore store = store();
			StringBuilder chain = new StringBuilder();
			for (Certificate certificate : store.getCertificateChain(name)) {
				chain.append(pem("CERTIFICATE", certificate.getEncoded()));
			}
			Files.writeString(this.directory.resolve(name + ".crt"), chain);
			Files.writeString(this.directory.resolve(name + ".key"),
					pem("PRIVATE KEY", store.getKey(name, PASSWORD.toCharArray()).getEncoded()));
		}
		catch (GeneralSecurityException | IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private KeyStore store() throws GeneralSecurityException, IOException {
		return KeyStore.getInstance(this.directory.resolve(STORE).toFile(), PASSWORD.toCharArray());
	}

	private static String pem(String type, byte[] content) {
		return "-----BEGIN " + type + "-----\n" + Base64.getMimeEncoder(64, new byte[] { '\n' }).encodeToString(content)
				+ "\n-----END " + type + "-----\n";
	}

	/**
	 * A certificate that the authority signed.
	 *
	 * @param authority the authority
	 * @param name name of the files
	 */
	public record Signed(TestAuthority authority, String name) {

		/** The chain of certificates. */
		public Path certificate() {
			return this.authority.directory.resolve(this.name + ".crt");
		}

		public Path key() {
			return this.authority.directory.resolve(this.name + ".key");
		}

		/** The keys of the certificate's owner. */
		public KeyManagerFactory keys() {
			try {
				KeyStore all = this.authority.store();
				KeyStore own = KeyStore.getInstance("PKCS12");
				own.load(null, null);
				char[] password = PASSWORD.toCharArray();
				own.setKeyEntry(this.name, all.getKey(this.name, password), password,
						all.getCertificateChain(this.name));
				KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
				keys.init(own, password);
				return keys;
			}
			catch (GeneralSecurityException | IOException ex) {
				throw new IllegalStateException(ex);
			}
		}

		/**
		 * Lines of {@code redis.conf} for a server with this certificate.
		 * @param port port for TLS
		 * @param asksClients whether clients need a certificate of the authority too
		 */
		public String[] directives(int port, boolean asksClients) {
			return new String[] { "tls-port " + port, "tls-cert-file " + certificate(), "tls-key-file " + key(),
					"tls-ca-cert-file " + this.authority.certificate(),
					"tls-auth-clients " + (asksClients ? "yes" : "no") };
		}

	}

}
