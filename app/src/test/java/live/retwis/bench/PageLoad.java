package live.retwis.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import live.retwis.testing.ChildProcess;

/**
 * Load of 100 keep-alive clients: {@code wrk} with one thread, usually on its own core.
 */
final class PageLoad {

	private static final int CLIENTS = 100;

	private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([\\d.]+)");

	private static final Pattern P99 = Pattern.compile("99%\\s+([\\d.]+)(us|ms|s)\\b");

	private static final Pattern FAILED = Pattern.compile("Non-2xx or 3xx responses: \\d+|Socket errors: .*");

	private final List<String> launcher;

	private final Path output;

	/**
	 * Creates a load.
	 * @param core the core that {@code wrk} runs on
	 * @param output file for its output
	 */
	PageLoad(int core, Path output) {
		this(PinnedProcess.launcher(core), output);
	}

	private PageLoad(List<String> launcher, Path output) {
		this.launcher = launcher;
		this.output = output;
	}

	/** A load that shares all cores with what it measures. */
	static PageLoad onAnyCore(Path output) {
		return new PageLoad(List.of(), output);
	}

	/** Starts the load. {@link Running#figures()} has the result at the end. */
	Running start(Target target, Duration time) {
		return start(target, time, List.of());
	}

	/** Starts a load whose requests are made by a Lua script of {@code wrk}. */
	Running start(Target target, Duration time, Path script) {
		return start(target, time, List.of("-s", script.toString()));
	}

	private Running start(Target target, Duration time, List<String> options) {
		List<String> command = new ArrayList<>(this.launcher);
		command.addAll(
				List.of("wrk", "-t1", "-c" + CLIENTS, "-d" + time.toSeconds() + "s", "--latency", "--timeout", "10s"));
		command.addAll(options);
		if (!target.cookie().isEmpty()) {
			command.addAll(List.of("-H", "Cookie: " + target.cookie()));
		}
		if (target.compressed()) {
			command.addAll(List.of("-H", "Accept-Encoding: gzip"));
		}
		command.add(target.url());
		return new Running(ChildProcess.start(this.output, command), time, this.output);
	}

	/**
	 * A page under load.
	 *
	 * @param name name in the report
	 * @param url address
	 * @param cookie value of the cookie header; empty for none
	 * @param articles number of articles on the page
	 * @param compressed whether it is asked for as browsers do, compressed by gzip
	 */
	record Target(String name, String url, String cookie, int articles, boolean compressed) {

		/** A page that is not compressed. */
		Target(String name, String url, String cookie, int articles) {
			this(name, url, cookie, articles, false);
		}

	}

	/**
	 * The figures of one round.
	 *
	 * @param rate requests per second
	 * @param p99 milliseconds
	 */
	record Figures(double rate, double p99) {

		/**
		 * Reads the output of {@code wrk --latency}.
		 * @throws IllegalStateException when a request failed
		 */
		static Figures parse(String printed) {
			Matcher failed = FAILED.matcher(printed);
			if (failed.find()) {
				throw new IllegalStateException("the load was not served: " + failed.group());
			}
			Matcher p99 = find(P99, printed);
			double unit = switch (p99.group(2)) {
				case "us" -> 0.001;
				case "ms" -> 1;
				default -> 1000;
			};
			return new Figures(Double.parseDouble(find(RATE, printed).group(1)),
					Double.parseDouble(p99.group(1)) * unit);
		}

		private static Matcher find(Pattern pattern, String printed) {
			Matcher matcher = pattern.matcher(printed);
			if (!matcher.find()) {
				throw new IllegalStateException("wrk printed:\n" + printed);
			}
			return matcher;
		}

	}

	/**
	 * A load that is running.
	 *
	 * @param wrk process of {@code wrk}
	 * @param time length of the load
	 * @param output file with its output
	 */
	record Running(ChildProcess wrk, Duration time, Path output) implements AutoCloseable {

		/** Waits for the end. */
		void end() {
			this.wrk.await(this.time.plusSeconds(15));
		}

		/** Waits for the end. Fails if a request was not answered. */
		Figures figures() throws IOException {
			end();
			return Figures.parse(Files.readString(this.output));
		}

		@Override
		public void close() {
			this.wrk.close();
		}

	}

}
