package live.retwis.timeline;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import live.retwis.redis.DataNode;
import live.retwis.redis.Keys;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Who has ever had so many followers that readers pull posts: {@code {live}:pulled}, read
 * once; further ones are told by {@link PulledPosts}. They are few.
 */
@Component
class PulledAuthors {

	private final DataNode data;

	private final Set<String> known = ConcurrentHashMap.newKeySet();

	private volatile boolean read;

	PulledAuthors(DataNode data) {
		this.data = data;
	}

	/** Those of the users. */
	Mono<List<String>> among(Collection<String> userIds) {
		return all().map((authors) -> userIds.stream().filter(authors::contains).toList());
	}

	/** All of them, as of now and later. */
	Mono<Set<String>> all() {
		return this.read ? Mono.just(this.known)
				: this.data.call((c) -> c.zrange(Keys.PULLED_AUTHORS, 0, -1)).map((authors) -> {
					this.known.addAll(authors);
					this.read = true;
					return this.known;
				});
	}

	/** One more; false when known. */
	boolean learn(String userId) {
		return this.known.add(userId);
	}

	/** Reads them again when they are asked for. */
	void forget() {
		this.read = false;
	}

}
