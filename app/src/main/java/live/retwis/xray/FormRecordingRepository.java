package live.retwis.xray;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

import live.retwis.redis.DataNodeCommands;
import live.retwis.redis.Keys;
import live.retwis.redis.RandomTokens;
import live.retwis.web.Viewer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * {@code xray:{form}}: what a form did, for the page to which it leads. Any instance may
 * show that page. A form works as usual when its recording cannot be stored.
 */
@Repository
@ConditionalOnProperty("retwis.xray.enabled")
class FormRecordingRepository {

	private static final Logger log = LoggerFactory.getLogger(FormRecordingRepository.class);

	private static final JsonMapper JSON = JsonMapper.shared();

	private static final Duration KEPT = Duration.ofMinutes(10);

	/** Most characters of a recording. A longer one is not stored. */
	private static final int LONGEST = 128 * 1024;

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private static final int NAME_BITS = 128;

	private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{22}");

	private final DataNodeCommands data;

	private final ReactiveStringRedisTemplate redis;

	FormRecordingRepository(DataNodeCommands data, ReactiveStringRedisTemplate redis) {
		this.data = data;
		this.redis = redis;
	}

	/**
	 * SET with an expiry: keeps a recording for a viewer.
	 * @return its name, which nobody can guess, also when it could not be stored
	 */
	Mono<String> keep(RecordedRequest recorded, Optional<Viewer> viewer) {
		String name = RandomTokens.ofBits(NAME_BITS);
		return Mono.fromCallable(() -> JSON.writeValueAsString(new Kept(viewer.map(Viewer::id).orElse(null), recorded)))
			.filter((json) -> json.length() <= LONGEST)
			.flatMap((json) -> this.redis.opsForValue().set(Keys.xrayForm(name), json, KEPT))
			.timeout(PATIENCE)
			.onErrorResume((error) -> {
				log.warn("X-ray: what a form did cannot be stored. {}", error.toString());
				return Mono.empty();
			})
			.thenReturn(name);
	}

	/**
	 * GET: the recording with this name. Empty when there is none any more, when another
	 * user made it, or when the data node does not answer. That of a visitor who was not
	 * logged in is for whoever has the name, because the form may have been a log-in.
	 * @param name see {@link #isName}
	 */
	Mono<RecordedRequest> find(String name, Optional<Viewer> viewer) {
		return this.data.get(Keys.xrayForm(name))
			.map((json) -> JSON.readValue(json, Kept.class))
			.filter((kept) -> kept.isFor(viewer))
			.map(Kept::recorded)
			.timeout(PATIENCE)
			.onErrorResume((error) -> {
				log.warn("X-ray: what a form did cannot be read. {}", error.toString());
				return Mono.empty();
			});
	}

	/** Whether a value of the parameter names a recording. */
	static boolean isName(String value) {
		return NAME.matcher(value).matches();
	}

	private record Kept(@Nullable String viewerId, RecordedRequest recorded) {

		private boolean isFor(Optional<Viewer> viewer) {
			return this.viewerId == null || viewer.map(Viewer::id).filter(this.viewerId::equals).isPresent();
		}

	}

}
