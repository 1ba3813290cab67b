package live.retwis.testing;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.RoundTripCountingDelay;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.TestRedis;

/**
 * A slow connection to Redis that counts the round trips of pages.
 * <p>
 * The site's background work uses the same connection. It is told apart by its keys:
 * while nobody posts or follows, background work uses only the commit log, and pages
 * never read the log alone. A round trip with commands of both counts as a round trip of
 * the page.
 */
public final class RoundTripProxy implements AutoCloseable {

	private static final Duration QUIET = Duration.ofMillis(100);

	/** Prefixes of keys that only pages use. */
	private static final List<String> OF_PAGES = List.of("auth:", "user:", "{user:", "username:", "users:recent", "{t",
			"post:", "posts:", "pulled:", "{live}:public", "tag:", "followers:", "{followers:", "following:", "muted:",
			"blocked:", "replies:", "likes:", "liked:", "reposts:", "bookmarks:", "mentions:", "notifications:",
			"{notifications:");

	private final FaultProxy proxy;

	private final RoundTripCountingDelay delay;

	private RoundTripProxy(FaultProxy proxy) {
		this.proxy = proxy;
		this.delay = proxy.countRoundTrips(QUIET);
	}

	public static RoundTripProxy to(TestRedis redis) {
		return new RoundTripProxy(redis.proxy());
	}

	public int port() {
		return this.proxy.port();
	}

	/** How many round trips so far had such a command. */
	public long saw(Predicate<SentCommand> wanted) {
		return this.delay.batches().stream().filter((batch) -> batch.stream().anyMatch(wanted)).count();
	}

	/** Loads a page and counts the round trips that it needs. */
	public <T> Counted<T> count(Supplier<T> page) {
		int before = this.delay.batches().size();
		T answer = page.get();
		return new Counted<>(answer,
				this.delay.batches()
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
	 * An answer and its cost.
	 *
	 * @param answer the answer
	 * @param roundTrips the commands of each round trip to Redis
	 */
	public record Counted<T>(T answer, List<List<SentCommand>> roundTrips) {
	}

}
