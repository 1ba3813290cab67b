package live.retwis.redis;

import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;

/**
 * Random texts that cannot be guessed.
 */
public final class Nonces {

	private static final SecureRandom random = new Blocks();

	private Nonces() {
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

	/**
	 * Computes its bits from one seed. The platform's default reads them from a file each
	 * time, which blocks. A block costs little more than a few bytes do.
	 */
	@SuppressWarnings("serial")
	private static final class Blocks extends SecureRandom {

		private static final int SIZE = 1024;

		private final SecureRandom source = seeded();

		private final byte[] block = new byte[SIZE];

		private int used = SIZE;

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

		/** No byte is given twice, nor kept once it is given. */
		@Override
		public synchronized void nextBytes(byte[] bytes) {
			for (int done = 0; done < bytes.length;) {
				if (this.used == SIZE) {
					this.source.nextBytes(this.block);
					this.used = 0;
				}
				int length = Math.min(bytes.length - done, SIZE - this.used);
				System.arraycopy(this.block, this.used, bytes, done, length);
				Arrays.fill(this.block, this.used, this.used + length, (byte) 0);
				this.used += length;
				done += length;
			}
		}

	}

}
