package live.retwis.redis;

import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;

/** Random texts that nobody can guess. */
public final class RandomTokens {

	/**
	 * A generator that is seeded once. The platform's default reads a file for each
	 * number, which blocks.
	 */
	private static final SecureRandom random = seeded();

	private RandomTokens() {
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

	/** A source of random bits that nobody can guess. It never blocks. */
	public static SecureRandom random() {
		return random;
	}

	/** Random bits as URL-safe text, 6 bits a character. */
	public static String ofBits(int bits) {
		byte[] bytes = new byte[bits / Byte.SIZE];
		random.nextBytes(bytes);
		return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
	}

}
