package live.retwis.account;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Whether visitors may register when the site is started for the first time.
 *
 * @param registration {@code open} or {@code closed} at the first start; the command
 * {@code moderate registration} changes it
 */
@ConfigurationProperties("retwis")
record InitialRegistrationProperties(@DefaultValue("open") RegistrationMode registration) {
}
