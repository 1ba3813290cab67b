package live.retwis.locks.nodes.testing;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A command that a client sent. Its predicates choose where a fault strikes.
 *
 * @param name in capitals, such as {@code EVALSHA}
 * @param arguments all that follows the name
 */
public record SentCommand(String name, List<String> arguments) {

	static SentCommand of(List<String> words) {
		return new SentCommand(words.get(0).toUpperCase(Locale.ROOT), List.copyOf(words.subList(1, words.size())));
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

	/** Those with that text in an argument, such as a piece of a script. */
	public static Predicate<SentCommand> containing(String text) {
		return (command) -> command.arguments().stream().anyMatch((argument) -> argument.contains(text));
	}

}
