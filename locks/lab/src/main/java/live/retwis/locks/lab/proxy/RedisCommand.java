package live.retwis.locks.lab.proxy;

import java.util.function.Predicate;

/**
 * A command that a client sent.
 *
 * @param name in capitals, such as {@code EVAL}
 * @param script the text of the script that it runs; empty for other commands
 */
public record RedisCommand(String name, String script) {

	/** Takes the key of a lock, with any engine. */
	public static final Predicate<RedisCommand> ACQUIRE = script("'exists'");

	/** Gives back the key of a lock, with any engine. */
	public static final Predicate<RedisCommand> RELEASE = script("'del'");

	/**
	 * Sets a new time to live for a key that exists: our vote, which checks the owner,
	 * and Redisson's PEXPIRE, which does not.
	 */
	public static final Predicate<RedisCommand> EXPIRE = script("'pexpire'").and(ACQUIRE.negate())
		.and(RELEASE.negate());

	private static Predicate<RedisCommand> script(String text) {
		return (command) -> command.script().contains(text);
	}

}
