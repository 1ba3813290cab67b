package live.retwis.account;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Objects;

import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.AbstractValidatingPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/**
 * Encodes the SHA-384 digest of a password with bcrypt. bcrypt reads only 72 bytes, so of
 * a longer password it would ignore the end. The digest is 64 characters of Base64 and
 * has no zero byte, at which bcrypt would stop.
 */
class DigestBCryptPasswordEncoder extends AbstractValidatingPasswordEncoder {

	private final PasswordEncoder bcrypt;

	DigestBCryptPasswordEncoder(int cost) {
		this.bcrypt = new BCryptPasswordEncoder(cost);
	}

	private static String digest(String password) {
		try {
			return Base64.getEncoder()
				.encodeToString(MessageDigest.getInstance("SHA-384").digest(password.getBytes(StandardCharsets.UTF_8)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	protected String encodeNonNullPassword(String password) {
		return Objects.requireNonNull(this.bcrypt.encode(digest(password)));
	}

	@Override
	protected boolean matchesNonNull(String password, String encoded) {
		return this.bcrypt.matches(digest(password), encoded);
	}

	@Override
	protected boolean upgradeEncodingNonNull(String encoded) {
		return this.bcrypt.upgradeEncoding(encoded);
	}

}
