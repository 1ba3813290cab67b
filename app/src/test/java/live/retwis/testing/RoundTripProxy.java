package live.retwis.testing;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.locks.testing.FaultProxy;
import live.retwis.locks.testing.RoundTrips;
import live.retwis.locks.testing.SentCommand;

/**
 * A long way to Redis, on which the round trips of pages can be counted.
 * <p>
 * The site's own work in the background goes the same way. It is told apart by its keys:
 * while nobody posts or follows, it touches the commit log and nothing else, and a page
 * never reads the log alone. A round trip in which both travel counts as one of the page.
 */
public final class RoundTripProxy implements AutoCloseable {

	private static final Duration QUIET = Duration.ofMillis(60);

	/** Keys that only pages touch. */
	private static final List<String> OF_PAGES = List.of("auth:", "user:", "username:", "users:recent", "{t", "post:",
			"posts:", "{live}:public", "followers:", "following:", "replies:");

	private final FaultProxy proxy;

	private final RoundTrips roundTrips;

	private RoundTripProxy(FaultProxy proxy) {
		this.proxy = proxy;
		this.roundTrips = proxy.roundTrips(QUIET);
	}

	public static RoundTripProxy to(TestRedis redis) {
		return new RoundTripProxy(FaultProxy.to(redis));
	}

	public int port() {
		return this.proxy.port();
	}

	/** How many round trips with such a command there have been so far. */
	public long saw(Predicate<SentCommand> wanted) {
		return this.roundTrips.batches().stream().filter((batch) -> batch.stream().anyMatch(wanted)).count();
	}

	/** The round trips that a page needs. */
	public <T> Counted<T> count(Supplier<T> page) {
		int before = this.roundTrips.batches().size();
		T answer = page.get();
		return new Counted<>(answer,
				this.roundTrips.batches()
					.stream()
					.skip(before)
					.filter((batch) -> batch.stream().anyMatch(RoundTripProxy::isOfPage))
					.toList());
	}

	private static boolean isOfPage(SentCommand command) {
		return command.arguments().stream().anyMatch((argument) -> OF_PAGES.stream().anyMatch(argument::startsWith));
	}

	@Override
	public void close() {
		this.proxy.close();
	}

	/**
	 * An answer and what it cost.
	 *
	 * @param answer as it came
	 * @param roundTrips the commands of each round trip to Redis
	 */
	public record Counted<T>(T answer, List<List<SentCommand>> roundTrips) {
	}

}
