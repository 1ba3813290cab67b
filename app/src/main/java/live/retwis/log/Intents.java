package live.retwis.log;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

import live.retwis.background.BackgroundQueue;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.RedisErrorClassifier;
import live.retwis.redis.Uncancellable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.domain.Range;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * {@code {live}:intents}: writes of several steps that have begun and are not finished.
 * The script that logs the write removes its intent. {@link IntentSweeper}, on any
 * instance, finishes the writes whose intent is still there when its time is over.
 */
@Repository
public class Intents extends BackgroundQueue<Intents.Lost> {

	private static final Logger logger = LoggerFactory.getLogger(Intents.class);

	/**
	 * How long a write may take that does not wait for a lock: several times the timeout
	 * of a command.
	 */
	public static final Duration SHORT = Duration.ofSeconds(10);

	/** No write takes longer, whatever it waits for. */
	private static final Duration LONGEST = Duration.ofMinutes(10);

	private static final Duration FIRST_RETRY = Duration.ofMillis(50);

	private static final Duration LAST_RETRY = Duration.ofSeconds(1);

	/** Intents that wait at the same time for their data node to come back. */
	private static final int CONCURRENCY = 64;

	/** Intents beyond those, about 300 bytes each. More are not declared again. */
	private static final int MOST_WAITING = 10_000;

	private static final LuaScript DECLARE = LuaScript.named("declare-intent");

	private static final LuaScript TAKE = LuaScript.named("take-intents");

	private final ReactiveStringRedisTemplate redis;

	Intents(ReactiveStringRedisTemplate redis) {
		super(CONCURRENCY, MOST_WAITING);
		this.redis = redis;
	}

	/**
	 * Runs {@code declare-intent.lua} and then the steps. They go on when the caller
	 * cancels, see {@link Uncancellable}.
	 * @param time how long until no step can arrive any more
	 * @return what the steps return
	 */
	public <T> Mono<T> run(Intent intent, Duration time, Mono<T> steps) {
		return Uncancellable.of(declare(intent, time).then(declaringAgain(intent, time, steps)));
	}

	/**
	 * Runs steps whose intent is declared. If a data node goes away meanwhile, a
	 * fail-over may lose the intent, but not what the steps have changed on other nodes.
	 * So the intent is declared again when the node is back, also when the caller has
	 * given up before. The caller gets the error at once.
	 * @param time how long until no step can arrive any more
	 * @return what the steps return
	 */
	public <T> Mono<T> declaringAgain(Intent intent, Duration time, Mono<T> steps) {
		return replacing(intent, intent, time, steps);
	}

	/**
	 * {@link #declaringAgain}, but another intent takes the place of the first.
	 * @param rest the intent that is declared
	 */
	public <T> Mono<T> replacing(Intent intent, Intent rest, Duration time, Mono<T> steps) {
		Lost lost = new Lost(intent, rest, time);
		return steps.doOnError(RedisErrorClassifier::isAway, (away) -> offer(lost)).doOnCancel(() -> offer(lost));
	}

	@Override
	protected Mono<Void> work(Lost lost) {
		return declareWhenBack(lost.rest(), lost.time())
			.then(lost.rest().equals(lost.intent()) ? Mono.empty() : drop(lost.intent()).onErrorComplete())
			.onErrorResume((error) -> {
				logger.warn("Nobody may finish \"{}\": {}", lost.rest().text(), RedisErrorClassifier.reasonText(error));
				return Mono.empty();
			});
	}

	/** Stops after the web server, whose last requests may still lose an intent. */
	@Override
	public int getPhase() {
		return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE - 2;
	}

	/** {@code declare-intent.lua}. */
	public Mono<Void> declare(Intent intent, Duration time) {
		return DECLARE.run(this.redis, List.of(Keys.INTENTS), intent.text(), Long.toString(time.toMillis())).then();
	}

	/**
	 * {@code declare-intent.lua} as soon as the data node is back. It ends with an error
	 * for which {@link RedisErrorClassifier#isAway} is true when that takes longer than
	 * any write.
	 */
	public Mono<Void> declareWhenBack(Intent intent, Duration time) {
		return declare(intent, time).retryWhen(
				Retry.backoff(Long.MAX_VALUE, FIRST_RETRY).maxBackoff(LAST_RETRY).filter(RedisErrorClassifier::isAway))
			.timeout(LONGEST, Mono.error(() -> new QueryTimeoutException("The data node stays away")));
	}

	/**
	 * Asks for a second check of a write whose intent somebody else has taken. An intent
	 * that the caller itself had taken over is left alone: the instance that finished the
	 * write first asks for the check.
	 */
	Mono<Void> requestSecondCheck(Intent intent) {
		return intent.text().startsWith(Intent.TAKEN) ? Mono.empty() : declare(intent.renewed(), Duration.ZERO);
	}

	/**
	 * Whether a write has to tell the log. It has when it changed something. If not, the
	 * same write may have been begun before, and may have changed it and failed before it
	 * told. Then that intent is still there: ZRANGE.
	 * @param changed whether the write has changed something
	 */
	public Mono<Boolean> mustTell(Intent intent, boolean changed) {
		return changed ? Mono.just(true)
				: others(intent).any((other) -> other.detail().equals(intent.detail()) && !other.isSecondCheck());
	}

	/**
	 * ZRANGE and ZREM, then {@code declare-intent.lua}: removes all other intents of this
	 * kind and subject, and declares this one again. So a step of an earlier write that
	 * is still on its way is refused when it arrives. Call it before the commit, under
	 * the lock that all these writes take. A write that waited for the lock calls it,
	 * too, and so declares its own intent again.
	 */
	public Mono<Void> supersede(Intent intent) {
		return others(intent).collectList()
			.flatMapIterable(Function.identity())
			.concatMap(this::drop)
			.then(declare(intent, SHORT));
	}

	/** ZRANGE: the other intents of this kind and subject. */
	private Flux<Intent> others(Intent intent) {
		return this.redis.opsForZSet()
			.range(Keys.INTENTS, Range.unbounded())
			.flatMap((text) -> Mono.justOrEmpty(Intent.parse(text)))
			.filter((other) -> !other.text().equals(intent.text()) && other.kind() == intent.kind()
					&& other.subject().equals(intent.subject()));
	}

	/** ZREM: removes the intent of a write that is finished. */
	public Mono<Void> drop(Intent intent) {
		return drop(intent.text());
	}

	/**
	 * ZREM: nothing was written, so that nothing is to be brought to an end.
	 * @param refused why; it is the answer also when the intent cannot be dropped
	 */
	public <T> Mono<T> notBegun(Intent intent, Throwable refused) {
		return drop(intent).onErrorComplete().then(Mono.error(refused));
	}

	Mono<Void> drop(String text) {
		return this.redis.opsForZSet().remove(Keys.INTENTS, text).then();
	}

	/**
	 * {@code take-intents.lua}: takes over intents whose time is over. They belong to the
	 * caller for the given time. An intent that is due later than any write may take is
	 * due at the latest after {@link #LONGEST}.
	 */
	Mono<List<String>> take(int most, Duration time) {
		return TAKE.run(this.redis, List.of(Keys.INTENTS), Integer.toString(most), Long.toString(time.toMillis()),
				Intent.TAKEN, Long.toString(LONGEST.toMillis()));
	}

	/**
	 * An intent that a fail-over may have lost.
	 *
	 * @param rest the intent that takes its place; often the same
	 * @param time how long until no step of its write can arrive any more
	 */
	record Lost(Intent intent, Intent rest, Duration time) {
	}

}
