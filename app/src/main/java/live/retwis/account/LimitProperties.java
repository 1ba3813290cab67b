package live.retwis.account;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the rate limits.
 *
 * @param enabled whether there are limits
 * @param loginTries failed log-ins from one address for one name before it has to wait
 * @param loginTriesByAddress failed log-ins from one address for all names together
 * @param loginWindow how long failed log-ins are counted, from the first one on
 */
@ConfigurationProperties("retwis.limits")
record LimitProperties(@DefaultValue("true") boolean enabled, @DefaultValue("10") int loginTries,
		@DefaultValue("100") int loginTriesByAddress, @DefaultValue("1m") Duration loginWindow) {
}
