package live.retwis.timeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import live.retwis.log.LogEntry;
import live.retwis.log.LogListener;
import live.retwis.redis.Cursor;
import live.retwis.redis.DataNode;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * The millisecond of each post's commit: its score in every list that it is in. Redis
 * takes longer to write 25 scores as text than for all else that a page asks of it, so a
 * page reads ids, and what this does not know of the few that it may end with.
 */
@Component
class CommitTimes implements LogListener {

	/** About 100 bytes each. */
	private static final int KNOWN = 100_000;

	private static final Duration KEPT = Duration.ofDays(1);

	/** Not one that makes the feed's thread wait. */
	private final GenerationalCache<Long> known = new GenerationalCache<>(KNOWN, KEPT, (millis) -> 1, System::nanoTime);

	private final DataNode data;

	CommitTimes(DataNode data) {
		this.data = data;
	}

	/**
	 * The places of posts in a list: ZMSCORE of those that are not known. A post that is
	 * no longer in the list may have none.
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

	/** Keeps what a list told. */
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
