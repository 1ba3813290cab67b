package live.retwis.account;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What it costs to check a password.
 *
 * @param cost cost of bcrypt, 4 to 31; each step up doubles the time to check a password,
 * and to guess it
 */
@ConfigurationProperties("retwis.passwords")
record PasswordCostProperties(@DefaultValue("10") int cost) {
}
