package live.retwis.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a server spends its processor time on: the samples of a profiler, each given to
 * the first of these parts that one of its frames belongs to.
 */
final class CpuParts {

	private static final Map<String, List<String>> PARTS = new LinkedHashMap<>();

	static {
		PARTS.put("collecting garbage", List.of("DefNew", "OopOopIterate", "GenCollected", "MarkSweep", "VMThread"));
		PARTS.put("compiling", List.of("CompileBroker", "C1Compiler", "C2Compiler"));
		PARTS.put("templates", List.of("com/samskivert/", "live/retwis/i18n/"));
		PARTS.put("putting pages together", List.of("live/retwis/web/RenderedMarkup", "live/retwis/web/PageSkeleton"));
		PARTS.put("CSRF tokens", List.of("Csrf", "javax/crypto/"));
		PARTS.put("cookies", List.of("Cookie"));
		PARTS.put("metrics", List.of("io/micrometer/", "Observation"));
		PARTS.put("writing to Redis", List.of("io/lettuce/core/protocol/CommandHandler.write"));
		PARTS.put("sending commands", List.of("io/lettuce/core/protocol/DefaultEndpoint.",
				"RedisChannelHandler.dispatch", "AbstractRedisAsyncCommands.", "RedisPublisher$CommandDispatch"));
		PARTS.put("writing to clients", List.of("HttpTrafficHandler.flush"));
		PARTS.put("encoding answers", List.of("HttpObjectEncoder", "HttpResponseEncoder"));
		PARTS.put("decoding requests", List.of("HttpObjectDecoder.", "HttpRequestDecoder."));
		PARTS.put("the site's filters",
				List.of("live/retwis/web/ResponseHeadersFilter", "live/retwis/web/ConcurrencyLimitFilter.",
						"live/retwis/web/LanguageChangeFilter", "live/retwis/web/FormReader"));
		PARTS.put("the site's own code and Reactor's operators",
				List.of("live/retwis/timeline/", "live/retwis/profile/", "live/retwis/post/", "live/retwis/account/",
						"live/retwis/follow/", "live/retwis/restriction/"));
		PARTS.put("reading from Redis", List.of("io/lettuce/"));
		PARTS.put("Spring's and Reactor Netty's handlers", List.of("org/springframework/", "reactor/netty/"));
		PARTS.put("the event loop", List.of("io/netty/"));
	}

	private static final String OTHER = "other";

	private CpuParts() {
	}

	/**
	 * The share of each part, the largest first.
	 * @param collapsed file with a line for each stack: its frames from the outermost to
	 * the innermost, separated by semicolons, a space, and the number of samples
	 */
	static Map<String, Double> of(Path collapsed) throws IOException {
		Map<String, Long> samples = new LinkedHashMap<>();
		try (Stream<String> lines = Files.lines(collapsed)) {
			lines.forEach((line) -> {
				int end = line.lastIndexOf(' ');
				samples.merge(part(line.substring(0, end)), Long.parseLong(line.substring(end + 1)), Long::sum);
			});
		}
		double all = samples.values().stream().mapToLong(Long::longValue).sum();
		Map<String, Double> shares = new LinkedHashMap<>();
		samples.entrySet()
			.stream()
			.sorted(Map.Entry.<String, Long>comparingByValue().reversed())
			.forEach((entry) -> shares.put(entry.getKey(), entry.getValue() / all));
		return shares;
	}

	/**
	 * Most stacks have frames of several parts, because one part calls another. The
	 * innermost frame that belongs to a part decides between them.
	 */
	private static String part(String stack) {
		String[] frames = stack.split(";");
		for (int i = frames.length - 1; i >= 0; i--) {
			for (Map.Entry<String, List<String>> part : PARTS.entrySet()) {
				if (part.getValue().stream().anyMatch(frames[i]::contains)) {
					return part.getKey();
				}
			}
		}
		return OTHER;
	}

}
