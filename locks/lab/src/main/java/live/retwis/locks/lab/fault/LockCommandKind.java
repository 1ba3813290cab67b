package live.retwis.locks.lab.fault;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

import live.retwis.locks.nodes.proxy.SentCommand;

/**
 * What clients of every engine ask a node, told apart by what they send.
 */
public enum LockCommandKind {

	/** Takes the key if nobody has it. */
	TAKE(SentCommand.running("'exists'").or((command) -> isPlain(command, "SET"))),

	/** Gives back the key. */
	RELEASE(SentCommand.running("'del'").or((command) -> isPlain(command, "DEL", "UNLINK"))),

	/**
	 * Sets a new time to live after it was looked at the owner: a vote, or an extension.
	 */
	CONFIRM(SentCommand.running("'pexpire'").and(SentCommand.running("'hexists'"))),

	/** Sets a new time to live, whoever the owner is. */
	EXPIRE(SentCommand.running("'pexpire'").or((command) -> isPlain(command, "PEXPIRE", "EXPIRE"))),

	/** Looks at the key, or anything else. */
	LOOK((command) -> true);

	private final Predicate<SentCommand> commands;

	LockCommandKind(Predicate<SentCommand> commands) {
		this.commands = commands;
	}

	private static boolean isPlain(SentCommand command, String... names) {
		return List.of(names).contains(command.name());
	}

	/** What a command asks for. A script that takes a key also sets its time to live. */
	public static LockCommandKind of(SentCommand command) {
		for (LockCommandKind one : values()) {
			if (one.commands.test(command)) {
				return one;
			}
		}
		return LOOK;
	}

	/** The name in histories. */
	public String label() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * What a reply means.
	 * @param reply as {@code TrafficListener} has it
	 * @return {@code yes}, {@code no} or {@code error}
	 */
	public String says(SentCommand command, String reply) {
		if (reply.startsWith("-") && !reply.matches("-\\d.*")) {
			return "error";
		}
		// Redisson's script answers nothing when it has taken the key, else how long it
		// is still taken; its numbered lock puts -1 before the number.
		boolean redisson = this == TAKE && command.script().contains("'pttl'");
		boolean yes = redisson ? reply.equals("nil") || reply.startsWith("-1 ")
				: reply.equals("1") || reply.equals("OK");
		return yes ? "yes" : "no";
	}

}
