package live.retwis.locks;

import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Makes fresh names of owners.
 */
final class OwnerNames {

	private static final int BYTES = 16;

	/** Seeded once. The system's own generator reads a file at each use, which blocks. */
	private static final SecureRandom random = seeded();

	private OwnerNames() {
	}

	private static SecureRandom seeded() {
		try {
			SecureRandom random = SecureRandom.getInstance("DRBG");
			random.nextBytes(new byte[1]);
			return random;
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Java has DRBG from version 9 on", ex);
		}
	}

	/** A name of 128 random bits. */
	static String next() {
		byte[] bytes = new byte[BYTES];
		random.nextBytes(bytes);
		return HexFormat.of().formatHex(bytes);
	}

}
