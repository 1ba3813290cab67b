package live.retwis.timeline;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import live.retwis.redis.Keys;
import live.retwis.redis.SortedSetReader;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Repository;

/**
 * The authors who have ever had so many followers that readers pull their posts:
 * {@code {live}:pulled}. They are few. The list is read once. After that
 * {@link PulledPostCache} adds authors of whom the log tells.
 */
@Repository
class PulledAuthorsRepository {

	private final SortedSetReader sortedSets;

	private final Set<String> known = ConcurrentHashMap.newKeySet();

	private volatile boolean read;

	PulledAuthorsRepository(SortedSetReader sortedSets) {
		this.sortedSets = sortedSets;
	}

	/** ZMSCORE: which of the users are in the list, read from the data node. */
	Mono<List<String>> among(List<String> userIds) {
		return this.sortedSets.present(Keys.PULLED_AUTHORS, userIds);
	}

	/** ZRANGE, the first time: all authors. The set grows later. */
	Mono<Set<String>> all() {
		return this.read ? Mono.just(this.known) : this.sortedSets.all(Keys.PULLED_AUTHORS).map((authors) -> {
			this.known.addAll(authors);
			this.read = true;
			return this.known;
		});
	}

	/** How many authors are known. The number only grows. */
	int count() {
		return this.known.size();
	}

	/** Adds an author. */
	void add(String userId) {
		this.known.add(userId);
	}

	/** Makes {@link #all} read the list again. */
	void readAgain() {
		this.read = false;
	}

}
