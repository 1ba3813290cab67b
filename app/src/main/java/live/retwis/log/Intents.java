package live.retwis.log;

import java.time.Duration;
import java.util.List;

import live.retwis.redis.DataNode;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.Uncancellable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Repository;

/**
 * {@code {live}:intents}: writes of several steps that have begun and are not finished.
 * The step that tells of the write takes its intent out in the same script; what is left
 * after its time, {@link IntentSweeper} brings to an end on any instance.
 */
@Repository
public class Intents {

	/** How long a write may take that waits for no lock: some timeouts of a command. */
	public static final Duration SHORT = Duration.ofSeconds(10);

	private static final LuaScript DECLARE = LuaScript.named("declare-intent");

	private static final LuaScript TAKE = LuaScript.named("take-intents");

	private final DataNode data;

	Intents(DataNode data) {
		this.data = data;
	}

	/**
	 * {@code declare-intent.lua}, then the steps, {@link Uncancellable} from who waits
	 * for them.
	 * @param time after which no step can arrive any more
	 * @return what the steps return
	 */
	public <T> Mono<T> run(Intent intent, Duration time, Mono<T> steps) {
		return Uncancellable.of(declare(intent, time).then(steps));
	}

	/** {@code declare-intent.lua}. */
	public Mono<Void> declare(Intent intent, Duration time) {
		return this.data.run(DECLARE, List.of(Keys.INTENTS), intent.text(), Long.toString(time.toMillis())).then();
	}

	/**
	 * Has a write looked at once more, of which somebody else took the intent. Of one
	 * that two took up at once, the quicker one looks once more.
	 */
	Mono<Void> declareAgain(Intent intent) {
		return intent.text().startsWith(Intent.TAKEN) ? Mono.empty() : declare(intent.again(), Duration.ZERO);
	}

	/** ZREM: nothing is left to do for it. */
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
		return this.data.call((c) -> c.zrem(Keys.INTENTS, text)).then();
	}

	/**
	 * {@code take-intents.lua}: some whose time is over. They are the caller's for a
	 * while.
	 */
	Mono<List<String>> take(int most, Duration time) {
		return this.data.run(TAKE, List.of(Keys.INTENTS), Integer.toString(most), Long.toString(time.toMillis()),
				Intent.TAKEN);
	}

}
