package live.retwis.lab;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The lab as a page.
 *
 * @param enabled serve {@code /lab} and its actions; true with embedded nodes unless set
 * @param rounds how many rounds one run has at most, of all its engines together
 * @param limit how long one run takes at most; then it is stopped
 */
@ConfigurationProperties("retwis.lab")
record LabProperties(@DefaultValue("false") boolean enabled, @DefaultValue("20") int rounds,
		@DefaultValue("5m") Duration limit) {
}
