package live.retwis.account;

import java.time.Duration;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import live.retwis.background.BackgroundQueue;
import live.retwis.redis.RedisErrorClassifier;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;

/**
 * Notes in {@code sessions:{user}} when sessions were last seen, at most once an hour for
 * each session and instance. A note that is dropped or fails is written an hour later.
 */
@Component
class SessionLastSeenRecorder extends BackgroundQueue<SessionLastSeenRecorder.Seen> {

	/** Shortest time between two notes of a session. */
	static final Duration PAUSE = Duration.ofHours(1);

	/** Sessions that are remembered as noted, about 150 bytes each. */
	private static final int REMEMBERED = 100_000;

	private static final int CONCURRENCY = 16;

	private final UserSessionsRepository list;

	private final SingleSessionRevocation ending;

	private final Cache<String, Boolean> noted = Caffeine.newBuilder()
		.maximumSize(REMEMBERED)
		.expireAfterWrite(PAUSE)
		.build();

	SessionLastSeenRecorder(UserSessionsRepository list, SingleSessionRevocation ending) {
		super(CONCURRENCY);
		this.list = list;
		this.ending = ending;
	}

	/** The session is here. */
	void seen(ServerWebExchange exchange, Session session) {
		if (this.noted.asMap().putIfAbsent(session.tokenHash(), true) == null) {
			offer(new Seen(session.viewer().id(), session.tokenHash(), session.generation(), UserAgent.of(exchange)));
		}
	}

	/**
	 * Notes a session at once. Those that are too many end. If the node of one is away,
	 * that session ends later.
	 */
	Mono<Void> note(Seen seen) {
		return this.list.keep(seen.userId(), seen.tokenHash(), seen.generation(), seen.userAgent())
			.flatMapIterable((tooMany) -> tooMany)
			.flatMap((tokenHash) -> this.ending.end(seen.userId(), tokenHash)
				.onErrorComplete(RedisErrorClassifier::isAway), UserSessionsRepository.MOST)
			.then();
	}

	@Override
	protected Mono<Void> work(Seen seen) {
		return note(seen);
	}

	/**
	 * A session that was seen.
	 *
	 * @param userId its user
	 * @param tokenHash hash of its token
	 * @param generation auth generation under which it was made
	 * @param userAgent its browser and system
	 */
	record Seen(String userId, String tokenHash, String generation, UserAgent userAgent) {
	}

}
