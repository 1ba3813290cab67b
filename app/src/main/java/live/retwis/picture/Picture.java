package live.retwis.picture;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/**
 * The picture of a user: a square JPEG.
 *
 * @param jpeg at most {@link #MOST_BYTES}
 * @param hash the beginning of the SHA-256 of these bytes, 16 characters that can stand
 * in an address
 */
public record Picture(byte[] jpeg, String hash) {

	/** Width and height. The largest place for it has 64 CSS pixels. */
	public static final int SIDE = 128;

	/** Most bytes of a picture. Noise has about half as many. */
	public static final int MOST_BYTES = 32 * 1024;

	private static final int HASH_BYTES = 12;

	/** A picture with its hash. */
	public static Picture of(byte[] jpeg) {
		try {
			byte[] sha = MessageDigest.getInstance("SHA-256").digest(jpeg);
			return new Picture(jpeg, Base64.getUrlEncoder().encodeToString(Arrays.copyOf(sha, HASH_BYTES)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** A picture that is stored as text. */
	public static Picture ofBase64(String text) {
		return of(Base64.getDecoder().decode(text));
	}

	/** The picture as text, in which form it is stored. */
	public String base64() {
		return Base64.getEncoder().encodeToString(this.jpeg);
	}

}
