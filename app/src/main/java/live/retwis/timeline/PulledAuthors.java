package live.retwis.timeline;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import live.retwis.redis.Keys;
import live.retwis.redis.SortedSets;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Who has ever had so many followers that readers pull posts: {@code {live}:pulled}, read
 * once; further ones are told by {@link PulledPosts}. They are few.
 */
@Component
class PulledAuthors {

	private final SortedSets sortedSets;

	private final Set<String> known = ConcurrentHashMap.newKeySet();

	private volatile boolean read;

	PulledAuthors(SortedSets sortedSets) {
		this.sortedSets = sortedSets;
	}

	/** ZMSCORE: those of the users, whatever has been told so far. */
	Mono<List<String>> amongNow(List<String> userIds) {
		return this.sortedSets.present(Keys.PULLED_AUTHORS, userIds);
	}

	/** All of them, as of now and later. */
	Mono<Set<String>> all() {
		return this.read ? Mono.just(this.known) : this.sortedSets.all(Keys.PULLED_AUTHORS).map((authors) -> {
			this.known.addAll(authors);
			this.read = true;
			return this.known;
		});
	}

	/** How many are known; they only become more. */
	int known() {
		return this.known.size();
	}

	/** One more. */
	void learn(String userId) {
		this.known.add(userId);
	}

	/** Reads them again when they are asked for. */
	void forget() {
		this.read = false;
	}

}
