package live.retwis.xray;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import live.retwis.locks.nodes.testing.TestRedis;

/**
 * What a server says it was asked: the Redis command MONITOR. Commands inside scripts are
 * left out.
 */
final class Monitor implements AutoCloseable {

	private static final Pattern LINE = Pattern.compile("\\+[\\d.]+ \\[\\d+ ([^]]+)] (.*)");

	private static final Pattern TEXT = Pattern.compile("\"((?:[^\"\\\\]++|\\\\.)*+)\"");

	private static final Pattern ESCAPED = Pattern.compile("\\\\x[0-9a-f]{2}|\\\\.|[^\\\\]");

	private final Socket socket;

	private final BufferedReader lines;

	private final TestRedis redis;

	private Monitor(TestRedis redis, Socket socket) throws IOException {
		this.redis = redis;
		this.socket = socket;
		this.lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
	}

	static Monitor of(TestRedis redis) throws IOException {
		Socket socket = new Socket(redis.host(), redis.port());
		socket.setSoTimeout(10_000);
		Monitor monitor = new Monitor(redis, socket);
		socket.getOutputStream().write("MONITOR\r\n".getBytes(StandardCharsets.US_ASCII));
		monitor.lines.readLine();
		return monitor;
	}

	/** The commands that the server gets while something is done. */
	<T> Done<T> during(Supplier<T> work) throws IOException {
		until(mark());
		T answer = work.get();
		return new Done<>(answer, until(mark()));
	}

	/** Sends a command that nobody else sends. */
	private String mark() {
		String mark = UUID.randomUUID().toString();
		try (Socket other = new Socket(this.redis.host(), this.redis.port())) {
			other.getOutputStream().write(("ECHO " + mark + "\r\n").getBytes(StandardCharsets.US_ASCII));
			other.getInputStream().read();
			return mark;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private List<Seen> until(String mark) throws IOException {
		List<Seen> seen = new ArrayList<>();
		for (String line = this.lines.readLine(); !line.contains(mark); line = this.lines.readLine()) {
			Matcher read = LINE.matcher(line);
			if (read.matches() && !read.group(1).equals("lua")) {
				seen.add(new Seen(read.group(1), TEXT.matcher(read.group(2)).results().map(Monitor::text).toList()));
			}
		}
		return seen;
	}

	/**
	 * The server writes bytes other than ASCII, line ends and quotation marks escaped.
	 */
	private static String text(MatchResult quoted) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		ESCAPED.matcher(quoted.group(1)).results().forEach((part) -> {
			String escaped = part.group();
			if (escaped.startsWith("\\x")) {
				bytes.write(Integer.parseInt(escaped.substring(2), 16));
			}
			else {
				bytes.writeBytes((escaped.equals("\\n") ? "\n" : escaped.replaceFirst("^\\\\(?=.)", ""))
					.getBytes(StandardCharsets.UTF_8));
			}
		});
		return bytes.toString(StandardCharsets.UTF_8);
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

	/** What was done, and the commands that the server got meanwhile. */
	record Done<T>(T answer, List<Seen> seen) {
	}

	/**
	 * A command.
	 *
	 * @param connection address of the client
	 * @param words its name and its arguments
	 */
	record Seen(String connection, List<String> words) {
	}

}
