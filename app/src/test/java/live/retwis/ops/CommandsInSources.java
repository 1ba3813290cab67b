package live.retwis.ops;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The Redis commands in the source files. Some are sent so rarely that no test sends
 * them.
 */
final class CommandsInSources {

	private static final Path MAIN = Path.of("src", "main");

	/** Commands whose rights are given for each subcommand. */
	private static final Set<String> CONTAINERS = Set.of("memory", "object", "xgroup", "xinfo");

	private static final Pattern IN_SCRIPT = Pattern.compile("redis\\.call\\('(\\w+)'(?:, '(\\w+)')?");

	/** Of {@code DataNodeCommands}, whose client calls commands as Redis does. */
	private static final Pattern OF_PAGES = Pattern.compile("call\\(\\(c\\) -> c\\.(\\w+?)(?:WithScores)?\\(");

	/** Of Spring Data's template, on keys of one type or on any key. */
	private static final Pattern OF_TEMPLATE = Pattern
		.compile("opsFor(\\w+)\\(\\)\\s*\\.(\\w+)\\(" + "|redis\\s*\\.(delete|expire|getExpire|hasKey|scan|type)\\("
				+ "|\\.(hStrLen|xClaim|xReadGroup|waitForReplication)\\(");

	/** What the methods of the template send. */
	private static final Map<String, String> SENT = Pattern.compile("(\\S+) (\\S+)")
		.matcher(
				"""
						delete del, expire expire, getExpire pttl, hasKey exists, scan scan, type type, hStrLen hstrlen,
						xClaim xclaim, xReadGroup xreadgroup, waitForReplication wait, Value.get get, Value.set set,
						Value.setIfAbsent set, Value.setIfPresent set, Hash.entries hgetall, Hash.get hmget, Hash.hasKey hexists, Hash.multiGet hmget, Hash.size hlen, Hash.scan hscan, Hash.putAll hmset,
						Hash.putIfAbsent hsetnx, Hash.remove hdel, Stream.acknowledge xack, Stream.createGroup xgroup|create, Stream.range xrange,
						Stream.reverseRange xrevrange, ZSet.add zadd, ZSet.addAll zadd, ZSet.count zcount, ZSet.range zrange, ZSet.rangeByLex zrangebylex, ZSet.rangeByScore zrangebyscore, ZSet.rangeByScoreWithScores zrangebyscore,
						ZSet.rangeWithScores zrange,
						ZSet.remove zrem, ZSet.removeRange zremrangebyrank, ZSet.reverseRange zrevrange,
						ZSet.reverseRangeByScore zrevrangebyscore, ZSet.scan zscan, ZSet.score zscore, ZSet.size zcard
						"""
					.replace(",", ""))
		.results()
		.collect(Collectors.toMap((sent) -> sent.group(1), (sent) -> sent.group(2)));

	/** The package whose commands go to the Redis of the PHP Retwis. */
	private static final String OTHER_SERVER = "package live.retwis.importing;";

	private CommandsInSources() {
	}

	/** Commands sent to the data node. */
	static Set<String> dataNode() {
		Set<String> commands = scripts(MAIN.resolve(Path.of("resources", "lua")));
		for (String source : read(MAIN.resolve("java"), Integer.MAX_VALUE)) {
			if (source.startsWith(OTHER_SERVER)) {
				continue;
			}
			OF_PAGES.matcher(source).results().forEach((call) -> commands.add(call.group(1).toLowerCase(Locale.ROOT)));
			OF_TEMPLATE.matcher(source).results().forEach((call) -> commands.add(sent(call)));
		}
		return commands;
	}

	private static String sent(MatchResult call) {
		String method = (call.group(1) != null) ? call.group(1) + "." + call.group(2)
				: (call.group(3) != null) ? call.group(3) : call.group(4);
		String command = SENT.get(method);
		if (command == null) {
			throw new IllegalStateException("Say here which command " + method + " sends");
		}
		return command;
	}

	/** Commands in scripts that run on a lock node. */
	static Set<String> lockNodes() {
		return scripts(Path.of("..", "locks", "core", "src", "main", "resources", "live", "retwis", "locks"));
	}

	private static Set<String> scripts(Path directory) {
		Set<String> commands = new TreeSet<>();
		for (String script : read(directory, 1)) {
			Matcher call = IN_SCRIPT.matcher(script);
			while (call.find()) {
				String name = call.group(1).toLowerCase(Locale.ROOT);
				commands.add(CONTAINERS.contains(name) ? name + "|" + call.group(2).toLowerCase(Locale.ROOT) : name);
			}
		}
		return commands;
	}

	private static List<String> read(Path directory, int depth) {
		try (Stream<Path> files = Files.find(directory, depth, (file, attributes) -> attributes.isRegularFile())) {
			return files.map(CommandsInSources::text).toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String text(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
