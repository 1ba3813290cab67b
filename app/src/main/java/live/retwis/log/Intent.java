package live.retwis.log;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.redis.Nonces;

/**
 * That a write of several steps has begun: what somebody else has to know to bring it to
 * an end.
 *
 * @param text as it is noted, different for each write
 * @param kind what is written
 * @param subject id of the user or the post that it is about
 * @param detail what else has to be known; without spaces
 */
public record Intent(String text, Kind kind, String subject, String detail) {

	/** Begins the text of one that was taken over. */
	static final String TAKEN = "taken ";

	/** Begins the text of one that was brought to an end and is looked at once more. */
	static final String LATE = "late ";

	/** A new one. */
	public static Intent of(Kind kind, String subject, String detail) {
		String text = Stream.of(kind.text(), subject, detail, Nonces.ofBits(48)).collect(Collectors.joining(" "));
		return new Intent(text, kind, subject, detail);
	}

	/** A new one for the same write. */
	Intent again() {
		return of(this.kind, this.subject, this.detail);
	}

	/** As it was noted; empty for one of another release. */
	static Optional<Intent> parse(String text) {
		String[] words = without(LATE, without(TAKEN, text)).split(" ");
		return (words.length != 4) ? Optional.empty()
				: Arrays.stream(Kind.values())
					.filter((kind) -> kind.text().equals(words[0]))
					.findFirst()
					.map((kind) -> new Intent(text, kind, words[1], words[2]));
	}

	private static String without(String mark, String text) {
		return text.startsWith(mark) ? text.substring(mark.length()) : text;
	}

	/** Whether another one has brought it to an end before. */
	boolean isLate() {
		return without(TAKEN, this.text).startsWith(LATE);
	}

	/** The same, brought to an end. */
	Intent late() {
		return new Intent(LATE + without(TAKEN, this.text), this.kind, this.subject, this.detail);
	}

	/** What is written. */
	public enum Kind {

		/** A user registers; detail: the folded name. */
		REGISTRATION,
		/** All sessions of a user end; detail: the generation that they are of. */
		ROTATION,
		/** A user deletes the account. */
		CLOSING,
		/** A post is stored, and then published; detail: its author. */
		POST,
		/** A published post comes into its author's own lists; detail: the author. */
		DELIVERY,
		/** A post is deleted; detail: its author. */
		DELETION,
		/** A user follows another, or no longer; detail: the other. */
		FOLLOW;

		String text() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
