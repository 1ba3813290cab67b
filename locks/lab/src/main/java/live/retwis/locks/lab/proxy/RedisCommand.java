package live.retwis.locks.lab.proxy;

import java.util.function.Predicate;

/**
 * A command that a client sent.
 *
 * @param name in capitals, such as {@code EVAL}
 * @param script the text of the script that it runs; empty for others
 */
public record RedisCommand(String name, String script) {

	/** Taking a lock's key, by whichever engine. */
	public static final Predicate<RedisCommand> ACQUIRE = script("'exists'");

	/** Giving a lock's key back, by whichever engine. */
	public static final Predicate<RedisCommand> RELEASE = script("'del'");

	/**
	 * A new time to live for a key that is there already: our owner-checked vote, and
	 * Redisson's PEXPIRE, which looks at no owner.
	 */
	public static final Predicate<RedisCommand> EXPIRE = script("'pexpire'").and(ACQUIRE.negate())
		.and(RELEASE.negate());

	private static Predicate<RedisCommand> script(String text) {
		return (command) -> command.script().contains(text);
	}

}
