package live.retwis.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.Base16;

/**
 * A script in {@code resources/lua}. It is read once. Redis identifies it by its SHA-1.
 */
public final class LuaScript {

	/**
	 * How Redis refuses a script that runs a command which the user may not run. The
	 * message does not name the command.
	 */
	private static final String REFUSED = "The user executing the script can't";

	private static final Pattern LINE = Pattern.compile("user_script: ?(\\d+)");

	private final String name;

	private final String body;

	private final String sha;

	private LuaScript(String name, String body) {
		this.name = name;
		this.body = body;
		this.sha = Base16.digest(body.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Reads {@code lua/<name>.lua}.
	 * @throws IllegalStateException when there is no such script
	 */
	public static LuaScript named(String name) {
		try (InputStream in = LuaScript.class.getResourceAsStream("/lua/" + name + ".lua")) {
			if (in == null) {
				throw new IllegalStateException("no script lua/" + name + ".lua");
			}
			return new LuaScript(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * EVALSHA; followed by EVAL when the node does not know the script.
	 * @return its answer, an array of texts
	 */
	public CompletionStage<List<String>> run(RedisClusterAsyncCommands<String, String> commands, String[] keys,
			String... args) {
		return commands.<List<String>>evalsha(this.sha, ScriptOutputType.MULTI, keys, args)
			.toCompletableFuture()
			.exceptionallyCompose((error) -> isUnknown(error)
					? commands.<List<String>>eval(this.body, ScriptOutputType.MULTI, keys, args)
					: CompletableFuture.failedFuture(error))
			.exceptionallyCompose((error) -> CompletableFuture.failedFuture(explained(error)));
	}

	/** Adds to a refusal the line of the script whose command was refused. */
	private Throwable explained(Throwable error) {
		Throwable cause = (error instanceof CompletionException && error.getCause() != null) ? error.getCause() : error;
		String message = String.valueOf(cause.getMessage());
		Matcher line = LINE.matcher(message);
		if (!(cause instanceof RedisCommandExecutionException) || !message.contains(REFUSED) || !line.find()) {
			return error;
		}
		String[] lines = this.body.split("\n", -1);
		int number = Integer.parseInt(line.group(1));
		String text = (number <= lines.length) ? lines[number - 1].strip() : "";
		return new RedisCommandExecutionException(
				message + " That is lua/" + this.name + ".lua, line " + number + ": " + text, cause);
	}

	private static boolean isUnknown(Throwable error) {
		return error instanceof RedisNoScriptException || error.getCause() instanceof RedisNoScriptException;
	}

	String body() {
		return this.body;
	}

	String sha() {
		return this.sha;
	}

}
