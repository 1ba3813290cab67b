package live.retwis.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import reactor.core.publisher.Mono;

import org.springframework.data.redis.RedisSystemException;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.data.redis.core.script.DigestUtils;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * A script in {@code resources/lua}, which answers an array of texts. It is read once.
 * Redis identifies it by its SHA-1.
 */
public final class LuaScript implements RedisScript<List<String>> {

	/**
	 * How Redis refuses a script that runs a command which the user may not run. The
	 * message does not name the command.
	 */
	private static final String REFUSED = "The user executing the script can't";

	private static final Pattern LINE = Pattern.compile("user_script: ?(\\d+)");

	private final String name;

	/** What stands before the script's own lines. */
	private final String include;

	private final String body;

	private final String sha;

	private LuaScript(String name, String include, String own) {
		this.name = name;
		this.include = include;
		this.body = include + own;
		this.sha = DigestUtils.sha1DigestAsHex(this.body);
	}

	/**
	 * Reads {@code lua/<name>.lua}.
	 * @throws IllegalStateException when there is no such script
	 */
	public static LuaScript named(String name) {
		return new LuaScript(name, "", read(name));
	}

	/**
	 * Like {@link #named}, for a script that does nothing after its deadline, which
	 * {@link DeadlineScriptRunner} gives it.
	 */
	public static LuaScript withDeadline(String name) {
		return new LuaScript(name, read("include/deadline"), read(name));
	}

	private static String read(String name) {
		try (InputStream in = LuaScript.class.getResourceAsStream("/lua/" + name + ".lua")) {
			if (in == null) {
				throw new IllegalStateException("no script lua/" + name + ".lua");
			}
			return new String(in.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * EVALSHA, or EVAL when the node does not know the script: the script's answer, an
	 * array of texts.
	 * @param keys all in one slot
	 */
	public Mono<List<String>> run(ReactiveStringRedisTemplate redis, List<String> keys, String... args) {
		return redis.execute(this, keys, List.of(args)).singleOrEmpty().onErrorMap(this::explained);
	}

	/** Adds to a refusal the line of the script whose command was refused. */
	Throwable explained(Throwable error) {
		String message = DataNodeCommands.refusal(error);
		Matcher line = LINE.matcher(message);
		if (!message.contains(REFUSED) || !line.find()) {
			return error;
		}
		String[] lines = this.body.split("\n", -1);
		int number = Integer.parseInt(line.group(1));
		String text = (number <= lines.length) ? lines[number - 1].strip() : "";
		int included = (int) this.include.lines().count();
		String file = (number > included) ? this.name + ".lua, line " + (number - included)
				: "include/deadline.lua, line " + number;
		return new RedisSystemException(message + " That is lua/" + file + ": " + text, null);
	}

	@Override
	public String getSha1() {
		return this.sha;
	}

	@Override
	@SuppressWarnings("unchecked")
	public Class<List<String>> getResultType() {
		return (Class<List<String>>) (Class<?>) List.class;
	}

	@Override
	public String getScriptAsString() {
		return this.body;
	}

}
