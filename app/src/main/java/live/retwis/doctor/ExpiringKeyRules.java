package live.retwis.doctor;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import live.retwis.log.CommitLog;
import live.retwis.redis.Keys;
import live.retwis.redis.TimeSortedIdGenerator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Keys that expire: sessions, browsers, rate limits, and forms that were sent. */
@Component
class ExpiringKeyRules implements RuleSet {

	private static final Predicate<String> ANY = (rest) -> !rest.isEmpty();

	/**
	 * A session's value: user id, auth generation and, for a minute after a renewal, the
	 * session in its place.
	 */
	private static final Pattern SESSION = Pattern.compile("(\\S+) (\\d{1,18})( \\S+)?");

	private static final String DELETES_SESSION = "deletes the session";

	/** How long X-ray keeps what a form did. */
	private static final Duration XRAY_FORM = Duration.ofMinutes(10);

	private final StoreReader store;

	private final Repairs repairs;

	ExpiringKeyRules(StoreReader store, Repairs repairs) {
		this.store = store;
		this.repairs = repairs;
	}

	@Override
	public List<KeySchema> keySchemas() {
		return List.of(new KeySchema(Keys.session(""), ANY, "string", Duration.ofDays(365), this::session),
				new KeySchema(Keys.sessionsOf(""), TimeSortedIdGenerator::isValid, "hash", Duration.ofDays(365),
						(userId) -> ofUser(Keys.sessionsOf(userId), userId)),
				new KeySchema(Keys.devicesOf(""), TimeSortedIdGenerator::isValid, "hash", Duration.ofDays(365),
						(userId) -> ofUser(Keys.devicesOf(userId), userId)),
				new KeySchema(Keys.LIMIT, ANY, "string", Duration.ofDays(1), (bucket) -> Flux.empty()),
				new KeySchema(Keys.xrayForm(""), ANY, "string", XRAY_FORM, (form) -> Flux.empty()),
				new KeySchema(Keys.ONCE, ANY, "string", CommitLog.ONCE, (form) -> Flux.empty()));
	}

	/**
	 * Checks a session. The session is read before its user, because the user's
	 * generation only grows.
	 */
	private Flux<Finding> session(String tokenHash) {
		String key = Keys.session(tokenHash);
		return this.store.value(key)
			.flatMapMany((value) -> Flux.fromStream(value.stream()))
			.flatMap((value) -> session(key, value));
	}

	private Mono<Finding> session(String key, String value) {
		Matcher session = SESSION.matcher(value);
		if (!session.matches()) {
			return Mono.just(over(key, "does not hold a user id and a generation", value));
		}
		return this.store.fields(Keys.user(session.group(1)), "auth", "created")
			.flatMap((user) -> session(key, value, session, user));
	}

	private Mono<Finding> session(String key, String value, Matcher session, Map<String, String> user) {
		if (user.isEmpty()) {
			return this.store.isLost(session.group(1))
				.filter((lost) -> !lost)
				.map((gone) -> over(key, "belongs to user " + session.group(1) + ", who does not exist", value)
					.asLeftover());
		}
		long generation = Long.parseLong(session.group(2));
		long current = Long.parseLong(user.getOrDefault("auth", "0"));
		if (generation > current) {
			return Mono.just(over(key,
					"has generation " + generation + ", which user " + session.group(1) + " has not reached", value));
		}
		boolean renewed = session.group(3) != null;
		return (generation < current && !renewed) ? Mono.just(over(key, "is over", value).asLeftover()) : Mono.empty();
	}

	/** Checks that a list belongs to a user. Its members may be over. */
	private Flux<Finding> ofUser(String key, String userId) {
		return this.store.mayBeUser(userId)
			.filter((there) -> !there)
			.map((gone) -> Finding
				.repairable(key, "is of user " + userId + ", who is not there", "deletes the list",
						() -> this.repairs.discardHash(key, Map.of()))
				.afterFanOut())
			.flux();
	}

	private Finding over(String key, String what, String value) {
		return Finding.repairable(key, what, DELETES_SESSION, () -> this.repairs.discardValue(key, value));
	}

}
