package live.retwis.locks.nodes.proxy;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The scripts that were sent over any proxy of this program, by their SHA-1. A client
 * that finds a script loaded sends only the SHA-1.
 */
final class SeenScripts {

	/** The most scripts that are kept. A site has less than a hundred. */
	private static final int BOUND = 1000;

	private static final Map<String, String> texts = new ConcurrentHashMap<>();

	private SeenScripts() {
	}

	/** The script that a command runs; empty when it runs none, or one never seen. */
	static String text(String name, List<String> arguments) {
		return switch (name) {
			case "EVAL" -> seen(arguments.get(0));
			case "EVALSHA" -> texts.getOrDefault(arguments.get(0).toLowerCase(Locale.ROOT), "");
			case "SCRIPT" -> {
				if (arguments.get(0).equalsIgnoreCase("LOAD")) {
					seen(arguments.get(1));
				}
				yield "";
			}
			default -> "";
		};
	}

	private static String seen(String text) {
		if (texts.size() < BOUND) {
			texts.put(sha1(text), text);
		}
		return text;
	}

	private static String sha1(String text) {
		try {
			return HexFormat.of()
				.formatHex(MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java has SHA-1", ex);
		}
	}

}
