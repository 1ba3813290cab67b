package live.retwis.attack;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.lettuce.core.api.sync.RedisServerCommands;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.testing.NodeConnections;
import live.retwis.testing.SiteProcess;

/**
 * What an instance and its data node take of the machine. All in kB but files and keys.
 *
 * @param heap live objects, after a full collection
 * @param direct memory of network buffers
 * @param resident memory of the process
 * @param files open files of the process, without the connections of clients
 * @param keys number of keys in Redis
 * @param redis memory of Redis
 */
record Footprint(long heap, long direct, long resident, long files, long keys, long redis) {

	private static final Pattern LIVE = Pattern.compile("Total\\s+\\d+\\s+(\\d+)");

	private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");

	private static final Pattern DIRECT = Pattern
		.compile("jvm_buffer_memory_used_bytes\\{[^}]*id=\"direct\"[^}]*\\} (\\S+)");

	private static final Pattern REDIS = Pattern.compile("used_memory:(\\d+)");

	private static final int KB = 1024;

	/**
	 * Looks at both.
	 * @param clients number of connections of clients
	 */
	static Footprint of(SiteProcess site, RedisProcess store, int clients) {
		try {
			long heap = number(LIVE, histogram(site.pid())) / KB;
			File files = new File("/proc/" + site.pid() + "/fd");
			String[] open = files.list();
			return new Footprint(heap, number(DIRECT, site.operator().get("/actuator/prometheus").body()) / KB,
					number(RESIDENT, Files.readString(Path.of("/proc/" + site.pid() + "/status"))),
					((open != null) ? open.length : 0) - clients,
					NodeConnections.ask(store, RedisServerCommands::dbsize),
					number(REDIS, NodeConnections.ask(store, (node) -> node.info("memory"))) / KB);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The objects on the heap, after a full collection. */
	private static String histogram(long pid) throws IOException {
		Process jcmd = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
				Long.toString(pid), "GC.class_histogram")
			.redirectErrorStream(true)
			.start();
		return new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
	}

	private static long number(Pattern pattern, String text) {
		Matcher matcher = pattern.matcher(text);
		if (!matcher.find()) {
			throw new IllegalStateException("no " + pattern + " in:\n" + text);
		}
		return (long) Double.parseDouble(matcher.group(1));
	}

	/** What has been added since then; negative where it became less. */
	Footprint since(Footprint before) {
		return new Footprint(this.heap - before.heap, this.direct - before.direct, this.resident - before.resident,
				this.files - before.files, this.keys - before.keys, this.redis - before.redis);
	}

}
