package live.retwis.notification;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import live.retwis.background.PeriodicTask;
import live.retwis.log.CommitLog;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.stereotype.Component;

/**
 * Logs how many notifications users have not read, for their open pages. However many
 * change, an instance writes at most one entry for a user in a second. An instance that
 * stops logs what is left. If it dies, pages of other instances may show the old number
 * for a minute.
 */
@Component
class UnreadAnnouncer extends PeriodicTask {

	private static final Duration PERIOD = Duration.ofSeconds(1);

	/** How long a stop waits for Redis. */
	private static final Duration LONGEST_STOP = Duration.ofSeconds(2);

	/** Before a stop tries again what is left. */
	private static final Duration AGAIN = Duration.ofMillis(50);

	private static final int CONCURRENCY = 16;

	/** Ids of users whose number has to be logged. */
	private final Set<String> changed = ConcurrentHashMap.newKeySet();

	private final NotificationRepository notifications;

	private final UnreadNotificationCache cache;

	private final CommitLog log;

	UnreadAnnouncer(NotificationRepository notifications, UnreadNotificationCache cache, CommitLog log) {
		super(PERIOD);
		this.notifications = notifications;
		this.cache = cache;
		this.log = log;
	}

	/** The user has more or fewer unread notifications. */
	void changed(String userId) {
		this.cache.changed(userId);
		this.changed.add(userId);
	}

	/**
	 * A change of the user's notifications, which counts as done even if it fails or
	 * nobody waits for it any more. It counts before its answer goes on, so that the next
	 * page has the new number.
	 */
	<T> Mono<T> changing(String userId, Mono<T> change) {
		return change.doOnTerminate(() -> changed(userId)).doOnCancel(() -> changed(userId));
	}

	@Override
	protected Mono<Void> run() {
		return Flux.fromIterable(List.copyOf(this.changed)).flatMap(this::announce, CONCURRENCY).then();
	}

	/**
	 * Another instance may log the number at the same time, and the older number may come
	 * last. So the number is read again after the entry.
	 */
	private Mono<Void> announce(String userId) {
		return Mono.defer(() -> {
			this.changed.remove(userId);
			return count(userId);
		})
			.flatMap((unread) -> this.log.notified(userId, unread)
				.then(count(userId))
				.filter((now) -> !now.equals(unread)))
			.doOnNext((now) -> changed(userId))
			.onErrorResume((error) -> Mono.fromRunnable(() -> changed(userId)))
			.doOnCancel(() -> changed(userId))
			.then();
	}

	/** Fails while the node is away. */
	private Mono<Long> count(String userId) {
		return this.notifications.unread(userId).map(NotificationRepository.Unread::count);
	}

	/**
	 * Logs what has changed since the last run, or was not logged by a run that it ends.
	 * Tries again until nothing is left, or for two seconds.
	 */
	@Override
	public void stop(Runnable done) {
		stop();
		run().repeatWhen((ends) -> ends.takeWhile((end) -> !this.changed.isEmpty()).delayElements(AGAIN))
			.then()
			.timeout(LONGEST_STOP)
			.onErrorComplete()
			.doFinally((end) -> done.run())
			.subscribe();
	}

	/**
	 * Stops after the web server and the workers, because requests and log entries change
	 * numbers.
	 */
	@Override
	public int getPhase() {
		return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE - 3;
	}

}
