package live.retwis.account;

import live.retwis.background.BackgroundQueue;
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

	VisitRecorder(UserRepository users, VisitListener listener) {
		super(CONCURRENCY);
		this.users = users;
		this.listener = listener;
	}

	/**
	 * The user is here.
	 * @param last the last recorded visit, in ms; null for none
	 */
	void seen(String userId, @Nullable String last) {
		if (last == null || now() - Long.parseLong(last) >= this.listener.pause().toMillis()) {
			offer(userId);
		}
	}

	@Override
	protected Mono<Void> work(String userId) {
		return Mono.when(this.users.noteVisit(userId, now()), this.listener.visited(userId));
	}

	private static long now() {
		return System.currentTimeMillis();
	}

}
