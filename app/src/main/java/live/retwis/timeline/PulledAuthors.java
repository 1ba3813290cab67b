package live.retwis.timeline;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

import live.retwis.redis.DataNode;
import live.retwis.redis.Keys;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Who has ever had so many followers that readers pull posts: {@code {live}:pulled}, read
 * once; further ones are told by {@link PulledPosts}. They are few.
 */
@Component
class PulledAuthors implements SmartLifecycle {

	private static final Duration RETRY = Duration.ofMillis(500);

	private final DataNode data;

	private final Set<String> known = ConcurrentHashMap.newKeySet();

	private volatile boolean read;

	private @Nullable Disposable reading;

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

	/** So that no page has to wait for it. */
	@Override
	public void start() {
		this.reading = Mono.defer(this::all).retryWhen(Retry.fixedDelay(Long.MAX_VALUE, RETRY)).subscribe();
	}

	@Override
	public void stop() {
		if (this.reading != null) {
			this.reading.dispose();
			this.reading = null;
		}
	}

	@Override
	public boolean isRunning() {
		return this.reading != null;
	}

}
