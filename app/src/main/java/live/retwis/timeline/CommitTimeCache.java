package live.retwis.timeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import live.retwis.log.CommitLogListener;
import live.retwis.log.LogEntry;
import live.retwis.redis.Cursor;
import live.retwis.redis.DataNodeCommands;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Caches the commit time of each post, in ms. It is the score of the post in every list.
 * Redis takes longer to write 25 scores as text than to do everything else for a page. So
 * a page reads only ids, and the commit times of the few posts with which it may end.
 */
@Component
class CommitTimeCache implements CommitLogListener {

	/** Most commit times in the cache, about 100 bytes each. */
	private static final int CACHED = 100_000;

	private static final Duration KEPT = Duration.ofDays(1);

	/** Adding to this cache never blocks, because the feed's thread adds to it. */
	private final TwoGenerationCache<Long> known = new TwoGenerationCache<>(CACHED, KEPT, (millis) -> 1,
			System::nanoTime);

	private final DataNodeCommands data;

	CommitTimeCache(DataNodeCommands data) {
		this.data = data;
	}

	/**
	 * The places of posts in a list, by post id. ZMSCORE reads those that are not in the
	 * cache. A post that is no longer in the list may be missing in the result.
	 */
	Mono<Map<String, Cursor>> places(String key, List<String> postIds) {
		Map<String, Cursor> places = new HashMap<>();
		List<String> unknown = new ArrayList<>();
		for (String postId : postIds) {
			Long committed = this.known.get(postId);
			if (committed != null) {
				places.put(postId, new Cursor(committed, postId));
			}
			else {
				unknown.add(postId);
			}
		}
		return unknown.isEmpty() ? Mono.just(places) : this.data.zmscore(key, unknown).map((scores) -> {
			for (int i = 0; i < unknown.size(); i++) {
				Double score = scores.get(i);
				if (score != null) {
					Cursor place = new Cursor(score.longValue(), unknown.get(i));
					learn(place);
					places.put(place.member(), place);
				}
			}
			return places;
		});
	}

	/** Adds a place that was read from a list. */
	void learn(Cursor place) {
		this.known.put(place.member(), place.score());
	}

	@Override
	public void accept(LogEntry entry) {
		if (entry.type() == LogEntry.Type.POST) {
			this.known.put(entry.post(), entry.position().millis());
		}
	}

	@Override
	public void reset() {
		this.known.clear();
	}

}
