package live.retwis.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import live.retwis.testing.ChildProcess;

/**
 * The live objects on the heap of a program, after a full collection.
 *
 * @param streams number of open streams
 * @param bytes size of all objects
 */
record Heap(int streams, long bytes) {

	private static final Pattern STREAMS = Pattern
		.compile("(\\d+)\\s+\\d+\\s+live\\.retwis\\.live\\.NettyOutlet(?![\\w$])");

	private static final Pattern TOTAL = Pattern.compile("Total\\s+\\d+\\s+(\\d+)");

	static Heap of(ChildProcess process) throws IOException {
		Process jcmd = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
				Long.toString(process.pid()), "GC.class_histogram")
			.redirectErrorStream(true)
			.start();
		String histogram = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		Matcher total = TOTAL.matcher(histogram);
		if (!total.find()) {
			throw new IllegalStateException("jcmd printed:\n" + histogram);
		}
		Matcher streams = STREAMS.matcher(histogram);
		return new Heap(streams.find() ? Integer.parseInt(streams.group(1)) : 0, Long.parseLong(total.group(1)));
	}

}
