package live.retwis.account;

import live.retwis.background.BackgroundQueue;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Notes in {@code user:{id}} when users were here last. What is too much, or fails, is
 * noted at the next visit.
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
	 * A user is here.
	 * @param last when the user was here before, in ms; null when that was never noted
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
