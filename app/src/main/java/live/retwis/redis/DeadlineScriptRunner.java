package live.retwis.redis;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import reactor.core.publisher.Mono;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * Runs scripts that have a deadline. A script that was held up on the network may arrive
 * after its sender has given up, sent it again and gone on, and after somebody else has
 * changed the same data since. Then it must not run any more. So the script gets a
 * deadline on the clock of the data node, and does nothing after it. The deadline is over
 * when the sender gives up: after the timeout of a command. So it is computed from the
 * earliest time that it may be on that node now.
 */
@Component
public class DeadlineScriptRunner {

	/** How a script refuses to run late: with the node's time, in ms. */
	private static final Pattern LATE = Pattern.compile("\\bLATE (\\d+)");

	private final ReactiveStringRedisTemplate redis;

	private final DataClock clock;

	private final Duration timeout;

	DeadlineScriptRunner(ReactiveStringRedisTemplate redis, DataClock clock, LettuceConnectionFactory factory) {
		this.redis = redis;
		this.clock = clock;
		this.timeout = factory.getClientConfiguration().getCommandTimeout();
	}

	/**
	 * EVALSHA of a script that was read by {@link LuaScript#withDeadline}: its answer.
	 * @param keys all in one slot
	 */
	public Mono<List<String>> run(LuaScript script, List<String> keys, String... args) {
		return run((deadline) -> script.run(this.redis, keys,
				Stream.concat(Stream.of(args), Stream.of(deadline)).toArray(String[]::new)));
	}

	/**
	 * Runs a write with a deadline. If a node says that it was late, it is run again with
	 * a deadline on the clock of that node, which may differ from the one that was
	 * measured: after a fail-over, and on a cluster.
	 * @param write receives the deadline, in ms on the clock of the data node, which is
	 * the last argument of its script
	 * @return what the write returns
	 */
	public <T> Mono<T> run(Function<String, Mono<T>> write) {
		return Mono.defer(this.clock::earliestMillis).flatMap((now) -> run(write, now));
	}

	private <T> Mono<T> run(Function<String, Mono<T>> write, long now) {
		return write.apply(Long.toString(now + this.timeout.toMillis()))
			.onErrorResume((error) -> late(error).map((time) -> run(write, time)).orElseGet(() -> Mono.error(error)));
	}

	private static Optional<Long> late(Throwable error) {
		Matcher late = LATE.matcher(DataNodeCommands.refusal(error));
		return late.find() ? Optional.of(Long.valueOf(late.group(1))) : Optional.empty();
	}

}
