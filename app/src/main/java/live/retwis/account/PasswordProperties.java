package live.retwis.account;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of how passwords are stored.
 *
 * @param cost cost of bcrypt, 4 to 31; each step up doubles the time to check a password,
 * and to guess it
 */
@ConfigurationProperties("retwis.passwords")
record PasswordProperties(@DefaultValue("10") int cost) {
}
