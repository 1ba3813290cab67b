package live.retwis.learn;

import java.util.List;
import java.util.Optional;

import live.retwis.i18n.Message;

/**
 * All chapters, in the order in which they are read.
 */
final class Chapters {

	static final List<Chapter> ALL = List.of(
			new Chapter(1, "strings", Message.of("learn.strings.title"), Message.of("learn.strings.summary"),
					new StringExperiment()),
			new Chapter(2, "hashes", Message.of("learn.hashes.title"), Message.of("learn.hashes.summary"),
					new HashExperiment()),
			new Chapter(3, "lists", Message.of("learn.lists.title"), Message.of("learn.lists.summary"),
					new ListExperiment()),
			new Chapter(4, "sets", Message.of("learn.sets.title"), Message.of("learn.sets.summary"),
					new SortedSetExperiment()),
			new Chapter(5, "streams", Message.of("learn.streams.title"), Message.of("learn.streams.summary"),
					new StreamExperiment()),
			new Chapter(6, "atomicity", Message.of("learn.atomicity.title"), Message.of("learn.atomicity.summary"),
					new LostIncrementExperiment()),
			new Chapter(7, "expiry", Message.of("learn.expiry.title"), Message.of("learn.expiry.summary"),
					new ExpiryAndInvalidationExperiment()),
			new Chapter(8, "sharding", Message.of("learn.sharding.title"), Message.of("learn.sharding.summary"),
					new SlotExperiment()),
			new Chapter(9, "timelines", Message.of("learn.timelines.title"), Message.of("learn.timelines.summary"),
					new HomeTimelineExperiment()),
			new Chapter(10, "persistence", Message.of("learn.persistence.title"),
					Message.of("learn.persistence.summary"), new CrashExperiment()));

	private Chapters() {
	}

	/** The chapter with the name. */
	static Optional<Chapter> find(String name) {
		return ALL.stream().filter((chapter) -> chapter.name().equals(name)).findFirst();
	}

	/** The chapter with the number; empty before the first and after the last. */
	static Optional<Chapter> numbered(int number) {
		return ALL.stream().filter((chapter) -> chapter.number() == number).findFirst();
	}

}
