package live.retwis.lab;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the lab's pages.
 *
 * @param enabled whether {@code /lab} is served; true with embedded nodes unless set
 * @param rounds most rounds of one run, all engines together
 * @param limit longest time of one run; after it the run is stopped
 */
@ConfigurationProperties("retwis.lab")
record LabProperties(@DefaultValue("false") boolean enabled, @DefaultValue("20") int rounds,
		@DefaultValue("5m") Duration limit) {
}
