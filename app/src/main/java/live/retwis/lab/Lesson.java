package live.retwis.lab;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import live.retwis.i18n.Localized;

/**
 * The lessons of the course, in their order. Each asks what will happen in a scenario,
 * offers two answers, and then shows a recorded round and says why. The texts are those
 * of the lab that begin with {@code course.<name>}.
 */
enum Lesson {

	/** Three clients want one lock. */
	CONTENTION("10", "b"),

	/** A node that holds the lock dies and comes back empty. */
	CRASH("3", "a"),

	/** The holder stands still past its lease. */
	PAUSE("1", "b"),

	/** The clock of a node jumps. */
	CLOCK("2", "a"),

	/** A replica is promoted. */
	REPLICA("4", "b"),

	/** The answer of a node is held up. */
	REPLY("8a", "a");

	/** Sentences that say why. */
	private static final int REASONS = 3;

	private final String scenario;

	private final String right;

	Lesson(String scenario, String right) {
		this.scenario = scenario;
		this.right = right;
	}

	/** The lesson with that name. */
	static Optional<Lesson> of(String name) {
		return Stream.of(values()).filter((lesson) -> lesson.label().equals(name)).findFirst();
	}

	/** The name in addresses. */
	String label() {
		return name().toLowerCase(Locale.ROOT);
	}

	/** The number of the scenario that it plays. */
	String scenario() {
		return this.scenario;
	}

	/** Whether this answer, {@code a} or {@code b}, is the right one. */
	boolean isRight(String answer) {
		return this.right.equals(answer);
	}

	Localized title() {
		return said("title");
	}

	Localized question() {
		return said("question");
	}

	/** Which kind of lock is played, and why that one. */
	Localized engineReason() {
		return said("engine");
	}

	/** An answer, {@code a} or {@code b}. */
	Localized answer(String which) {
		return said(which);
	}

	/** Why it happens, in three sentences. */
	List<Localized> why() {
		return said("why", REASONS);
	}

	/** More about each of these sentences. */
	List<Localized> more() {
		return said("more", REASONS);
	}

	/** Where in the literature it is, and what is said there. */
	Localized place() {
		return said("place");
	}

	/** The lesson after this one. */
	Optional<Lesson> next() {
		return (ordinal() + 1 < values().length) ? Optional.of(values()[ordinal() + 1]) : Optional.empty();
	}

	/** Its number, from 1. */
	int number() {
		return ordinal() + 1;
	}

	private List<Localized> said(String what, int times) {
		return IntStream.rangeClosed(1, times).mapToObj((number) -> said(what + number)).toList();
	}

	private Localized said(String what) {
		return LocalizedLabWords.text((words) -> words.text("course." + label() + "." + what));
	}

}
