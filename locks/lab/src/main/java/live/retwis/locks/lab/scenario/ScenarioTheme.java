package live.retwis.locks.lab.scenario;

import java.util.List;
import java.util.Locale;

import live.retwis.locks.lab.words.LabWords;

/**
 * What scenarios have in common. The themes are in the order in which one learns about
 * them, and so are the scenarios of a theme.
 */
public enum ScenarioTheme {

	/** What a lock does when nothing fails. */
	START("0"),

	/** Clients that stop or die while they have the lock. */
	HOLDERS("17", "1", "1b", "1c"),

	/** Nodes that die, stop or forget. */
	NODES("3", "3b", "3c", "18", "9"),

	/** Clocks that jump or run fast. */
	CLOCKS("2", "2b", "2c"),

	/** Replicas, and lists of nodes that differ. */
	REPLICAS("4", "16"),

	/** Nodes that cannot be reached. */
	CUTS("5", "6", "15", "11"),

	/** Commands and answers that come late. */
	DELAYS("8a", "8b", "7", "7b", "10", "13", "14", "20"),

	/** Faults at random. */
	RANDOM("12a", "12b");

	private final List<String> numbers;

	ScenarioTheme(String... numbers) {
		this.numbers = List.of(numbers);
	}

	/** The numbers of its scenarios. */
	public List<String> numbers() {
		return this.numbers;
	}

	/** Its name for people. */
	public String name(LabWords words) {
		return words.text("theme." + name().toLowerCase(Locale.ROOT));
	}

}
