package live.retwis.account;

import java.util.OptionalLong;

import live.retwis.background.BackgroundQueue;
import live.retwis.redis.DataClock;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Records in {@code user:{id}} when users were last here. A visit that is dropped or
 * fails is recorded at the next one.
 */
@Component
class VisitRecorder extends BackgroundQueue<String> {

	private static final int CONCURRENCY = 16;

	private final UserRepository users;

	private final VisitListener listener;

	private final DataClock clock;

	VisitRecorder(UserRepository users, VisitListener listener, DataClock clock) {
		super(CONCURRENCY);
		this.users = users;
		this.listener = listener;
		this.clock = clock;
	}

	/**
	 * The user is here. Nothing is recorded while the data node's time is not known.
	 * @param last the last recorded visit, in ms; null for none
	 */
	void seen(String userId, @Nullable String last) {
		OptionalLong now = this.clock.knownMicros();
		if (now.isPresent() && (last == null
				|| now.getAsLong() / 1000 - Long.parseLong(last) >= this.listener.pause().toMillis())) {
			offer(userId);
		}
	}

	@Override
	protected Mono<Void> work(String userId) {
		return Mono.when(this.clock.millis().flatMap((now) -> this.users.noteVisit(userId, now)),
				this.listener.visited(userId));
	}

}
