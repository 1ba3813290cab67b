package live.retwis.locks.lab.proxy;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The scripts that have passed any proxy of a stage, by their SHA-1. A client that finds
 * a script loaded sends only the SHA-1.
 */
public final class SeenScripts {

	/** The most scripts that are kept. Locks have a dozen. */
	private static final int BOUND = 1000;

	private final Map<String, String> texts = new ConcurrentHashMap<>();

	/** Reads a command of a client, and remembers a script that comes with it. */
	RedisCommand command(List<String> words) {
		String name = words.get(0).toUpperCase(Locale.ROOT);
		boolean loads = name.equals("SCRIPT") && words.size() == 3 && words.get(1).equalsIgnoreCase("LOAD");
		if (loads) {
			learn(words.get(2));
		}
		return new RedisCommand(name, switch (name) {
			case "EVAL" -> words.get(1);
			case "EVALSHA" -> this.texts.getOrDefault(words.get(1).toLowerCase(Locale.ROOT), "");
			default -> "";
		});
	}

	private void learn(String text) {
		if (this.texts.size() < BOUND) {
			this.texts.put(sha1(text), text);
		}
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
