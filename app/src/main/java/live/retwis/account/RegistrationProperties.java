package live.retwis.account;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Whether visitors may register.
 *
 * @param registration {@code open} or {@code closed} at the first start; the command
 * {@code moderate registration} changes it
 */
@ConfigurationProperties("retwis")
record RegistrationProperties(@DefaultValue("open") RegistrationMode registration) {
}
