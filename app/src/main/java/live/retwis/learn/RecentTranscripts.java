package live.retwis.learn;

import java.time.Duration;
import java.util.Optional;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import org.springframework.stereotype.Component;

/**
 * The last transcripts of this instance: 200 at most, for 10 minutes each. They are in
 * memory alone. Another instance, or this one after a restart, does not have them.
 */
@Component
class RecentTranscripts {

	private static final int MOST = 200;

	private static final Duration LIFE = Duration.ofMinutes(10);

	private final Cache<String, Transcript> kept = Caffeine.newBuilder()
		.maximumSize(MOST)
		.expireAfterWrite(LIFE)
		.build();

	void keep(Transcript transcript) {
		this.kept.put(transcript.id(), transcript);
	}

	/**
	 * A transcript.
	 * @param chapter name of the chapter that it has to be of
	 * @param owner id of the user who asks
	 * @return empty when there is none, when it is another user's, or of another chapter
	 */
	Optional<Transcript> find(String id, String chapter, String owner) {
		return Optional.ofNullable(this.kept.getIfPresent(id))
			.filter((transcript) -> transcript.chapter().equals(chapter) && transcript.owner().equals(owner));
	}

}
