package live.retwis.locks.lab.engine;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import live.retwis.locks.FenceRegister;
import live.retwis.locks.Lease;
import live.retwis.locks.lab.node.RawRedisClient;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * What the locks protect: a counter for each resource, on a server of its own that no
 * fault touches. {@code count:<resource>} is the counter. {@code fence:<resource>} notes
 * the owner, {@code greatest:<resource>} the greatest number. {@code writes:<resource>}
 * lists the accepted writes.
 */
public final class ProtectedStore implements FenceRegister {

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private static final String INCREMENT = script("increment.lua");

	private static final String RENEW = script("renew.lua");

	private final RawRedisClient wire;

	/**
	 * A store on a server.
	 * @param port of 127.0.0.1
	 */
	public ProtectedStore(int port) {
		this.wire = new RawRedisClient(port, PATIENCE);
	}

	private static String script(String name) {
		try (InputStream file = ProtectedStore.class.getResourceAsStream(name)) {
			return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public Mono<Void> claim(Lease lease) {
		return Mono.fromRunnable(() -> claim(lease.resource(), lease.owner(), lease.remaining().toMillis()))
			.subscribeOn(Schedulers.boundedElastic())
			.then();
	}

	/**
	 * Notes the owner of a resource.
	 * @param millis how long the note lasts; 1 ms at least
	 */
	public void claim(String resource, String owner, long millis) {
		ask("SET", register(resource), owner, "PX", String.valueOf(Math.max(millis, 1)));
	}

	@Override
	public Mono<Boolean> renew(Lease lease) {
		return Mono
			.fromCallable(() -> ask("EVAL", RENEW, "1", register(lease.resource()), lease.owner(),
					String.valueOf(lease.remaining().toMillis()))
				.equals(List.of("1")))
			.subscribeOn(Schedulers.boundedElastic());
	}

	/** Reads the counter. It is 0 at first. */
	public long read(String resource) {
		List<String> value = ask("GET", counter(resource));
		return value.isEmpty() ? 0 : Long.parseLong(value.get(0));
	}

	/** The next number of a resource. It is greater than all before. */
	public long nextNumber(String resource) {
		return Long.parseLong(ask("INCR", "number:" + resource).get(0));
	}

	/**
	 * Writes the counter.
	 * @param resource whose counter
	 * @param grant the lock of the writer
	 * @param value the new value
	 * @return whether the store accepted the write
	 */
	public boolean write(String resource, LockGrant grant, long value) {
		List<String> answer = ask("EVAL", INCREMENT, "3", counter(resource), compared(resource, grant.guard()),
				writes(resource), grant.guard().kind().name().toLowerCase(Locale.ROOT), grant.owner(),
				String.valueOf(grant.guard().token()), String.valueOf(value));
		return answer.equals(List.of("1"));
	}

	/** Everything that the search for lost updates looks at. */
	public Map<String, String> state(String resource) {
		return Map.of("value", String.valueOf(read(resource)), "writes",
				String.join(",", ask("LRANGE", writes(resource), "0", "-1")));
	}

	/** Begins to measure a time, by the store's clock. */
	public void startTimer(String name, Duration time) {
		ask("SET", "timer:" + name, "runs", "PX", String.valueOf(time.toMillis()));
	}

	/** Whether that time is over. */
	public boolean isTimerOver(String name) {
		return ask("GET", "timer:" + name).isEmpty();
	}

	private List<String> ask(String... command) {
		try {
			return this.wire.ask(command);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The protected store does not answer", ex);
		}
	}

	private static String counter(String resource) {
		return "count:" + resource;
	}

	/** Numbers are not compared with the owner that locks of this library note. */
	private static String compared(String resource, WriteCondition guard) {
		return (guard.kind() == WriteCondition.Kind.TOKEN) ? "greatest:" + resource : register(resource);
	}

	private static String register(String resource) {
		return "fence:" + resource;
	}

	private static String writes(String resource) {
		return "writes:" + resource;
	}

}
