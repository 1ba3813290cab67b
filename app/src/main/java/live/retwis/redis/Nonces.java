package live.retwis.redis;

import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * Random texts that cannot be guessed.
 */
public final class Nonces {

	/**
	 * Computes its bits from one seed. The platform's default reads them from a file each
	 * time, which blocks.
	 */
	private static final SecureRandom random = seeded();

	private Nonces() {
	}

	private static SecureRandom seeded() {
		try {
			SecureRandom seeded = SecureRandom.getInstance("DRBG");
			seeded.nextBytes(new byte[1]);
			return seeded;
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Java has DRBG from version 9 on", ex);
		}
	}

	/** The source of the bits: cannot be guessed, never blocks. */
	public static SecureRandom random() {
		return random;
	}

	/** That many random bits, URL-safe, 6 bits a character. */
	public static String ofBits(int bits) {
		byte[] bytes = new byte[bits / Byte.SIZE];
		random.nextBytes(bytes);
		return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
	}

}
