package live.retwis.timeline;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

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

	/** ZMSCORE: those of the users, whatever has been told so far. */
	Mono<List<String>> amongNow(List<String> userIds) {
		return userIds.isEmpty() ? Mono.just(List.of())
				: this.data.call((c) -> c.zmscore(Keys.PULLED_AUTHORS, userIds.toArray(String[]::new)))
					.map((scores) -> IntStream.range(0, userIds.size())
						.filter((i) -> scores.get(i) != null)
						.mapToObj(userIds::get)
						.toList());
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
