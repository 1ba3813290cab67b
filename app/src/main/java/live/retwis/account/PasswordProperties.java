package live.retwis.account;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How passwords are stored.
 *
 * @param cost of bcrypt, 4 to 31: one more takes twice as long to check, and to guess
 */
@ConfigurationProperties("retwis.passwords")
record PasswordProperties(@DefaultValue("10") int cost) {
}
