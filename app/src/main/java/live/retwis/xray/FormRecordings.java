package live.retwis.xray;

import java.time.Duration;
import java.util.Optional;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import live.retwis.redis.Nonces;
import live.retwis.web.Viewer;

/**
 * Keeps what forms did, until the page to which they lead is shown. It is in the memory
 * of this instance: behind a load balancer another instance may show the page, and then
 * the page says that it does not know what the form did.
 */
@ConditionalOnXray
class FormRecordings {

	private static final int MOST = 1_000;

	private static final Duration KEPT = Duration.ofMinutes(10);

	private static final int NAME_BITS = 128;

	/** In characters, of 6 bits each. */
	private static final int NAME_LENGTH = 22;

	private final Cache<String, Kept> kept = Caffeine.newBuilder().maximumSize(MOST).expireAfterWrite(KEPT).build();

	/**
	 * Keeps a recording for a viewer.
	 * @return its name, which nobody can guess
	 */
	String keep(Recording recorded, Optional<Viewer> viewer) {
		String name = Nonces.ofBits(NAME_BITS);
		this.kept.put(name, new Kept(recorded, viewer.map(Viewer::id)));
		return name;
	}

	/**
	 * The recording with this name; empty when there is none any more, or when another
	 * user made it. That of a visitor who was not logged in is for whoever has the name,
	 * because the form may have been a log-in.
	 */
	Optional<Recording> find(String name, Optional<Viewer> viewer) {
		return Optional.ofNullable(this.kept.getIfPresent(name))
			.filter((found) -> found.viewerId().isEmpty() || found.viewerId().equals(viewer.map(Viewer::id)))
			.map(Kept::recorded);
	}

	/**
	 * Whether a value of the parameter names a recording, of this instance or of another.
	 */
	static boolean isName(String value) {
		return value.length() == NAME_LENGTH;
	}

	private record Kept(Recording recorded, Optional<String> viewerId) {
	}

}
