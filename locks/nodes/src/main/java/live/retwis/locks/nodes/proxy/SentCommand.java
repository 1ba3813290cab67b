package live.retwis.locks.nodes.proxy;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A command that a client sent. Its predicates choose where a fault strikes.
 *
 * @param name in capitals, such as {@code EVALSHA}
 * @param arguments all that follows the name
 * @param script the text of the script that it runs, also when only the SHA-1 was sent;
 * empty for other commands
 */
public record SentCommand(String name, List<String> arguments, String script) {

	static SentCommand of(List<String> words) {
		String name = words.get(0).toUpperCase(Locale.ROOT);
		List<String> arguments = List.copyOf(words.subList(1, words.size()));
		return new SentCommand(name, arguments, SeenScripts.text(name, arguments));
	}

	/** Those with one of these names, given in capitals. */
	public static Predicate<SentCommand> named(String... names) {
		Set<String> all = Set.of(names);
		return (command) -> all.contains(command.name());
	}

	/** Those with that argument at any place, such as a key. */
	public static Predicate<SentCommand> with(String argument) {
		return (command) -> command.arguments().contains(argument);
	}

	/** Those with that text in an argument as it was sent. */
	public static Predicate<SentCommand> containing(String text) {
		return (command) -> command.arguments().stream().anyMatch((argument) -> argument.contains(text));
	}

	/** Selects commands that run a script with that text in it. */
	public static Predicate<SentCommand> running(String text) {
		return (command) -> command.script().contains(text);
	}

}
