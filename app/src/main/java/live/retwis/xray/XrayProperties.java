package live.retwis.xray;

import java.util.Optional;
import java.util.Set;

import live.retwis.web.Viewer;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of X-ray.
 *
 * @param enabled whether commands can be recorded; true with embedded nodes unless set
 * @param users usernames of those who may ask, separated by commas; {@code *} for
 * everybody, which is the default with embedded nodes
 */
@ConfigurationProperties("retwis.xray")
record XrayProperties(@DefaultValue("false") boolean enabled, @DefaultValue Set<String> users) {

	private static final String EVERYBODY = "*";

	/** Whether visitors without an account may ask, too. */
	boolean isForEverybody() {
		return this.users.contains(EVERYBODY);
	}

	boolean allows(Optional<Viewer> viewer) {
		return isForEverybody() || viewer
			.filter((known) -> this.users.stream().anyMatch((name) -> name.equalsIgnoreCase(known.username())))
			.isPresent();
	}

}
