package live.retwis.log;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.redis.RandomTokens;

/**
 * The note that a write of several steps has begun. It holds what another instance must
 * know to finish the write.
 *
 * @param text the intent as it is stored in Redis. It is different for each write, except
 * for writes that are {@link #repeatable}
 * @param kind the kind of write
 * @param subject id of the user or the post that the write is about
 * @param detail what else the finisher must know; without spaces
 */
public record Intent(String text, Kind kind, String subject, String detail) {

	/** Prefix of an intent that {@link IntentSweeper} has taken over. */
	static final String TAKEN = "taken ";

	/** Prefix of an intent that was finished once and will be checked a second time. */
	static final String SECOND_CHECK = "late ";

	/** Takes the place of the nonce in intents that are {@link #repeatable}. */
	private static final String ALWAYS = "always";

	/** A new intent. */
	public static Intent of(Kind kind, String subject, String detail) {
		return of(kind, subject, detail, RandomTokens.ofBits(48));
	}

	/**
	 * The intent of a write that may be done twice without harm. However often it is
	 * begun, there is one intent.
	 */
	public static Intent repeatable(Kind kind, String subject, String detail) {
		return of(kind, subject, detail, ALWAYS);
	}

	private static Intent of(Kind kind, String subject, String detail, String nonce) {
		String text = Stream.of(kind.text(), subject, detail, nonce).collect(Collectors.joining(" "));
		return new Intent(text, kind, subject, detail);
	}

	/** The intent for doing the same write again. */
	Intent renewed() {
		return this.text.endsWith(ALWAYS) ? repeatable(this.kind, this.subject, this.detail)
				: of(this.kind, this.subject, this.detail);
	}

	/**
	 * Reads a stored intent. Empty when another release has written it in a form that
	 * this one does not know.
	 */
	static Optional<Intent> parse(String text) {
		String[] words = without(SECOND_CHECK, without(TAKEN, text)).split(" ");
		return (words.length != 4) ? Optional.empty()
				: Arrays.stream(Kind.values())
					.filter((kind) -> kind.text().equals(words[0]))
					.findFirst()
					.map((kind) -> new Intent(text, kind, words[1], words[2]));
	}

	private static String without(String mark, String text) {
		return text.startsWith(mark) ? text.substring(mark.length()) : text;
	}

	/**
	 * Whether this intent was finished before and is now being checked a second time.
	 */
	public boolean isSecondCheck() {
		return without(TAKEN, this.text).startsWith(SECOND_CHECK);
	}

	/** The intent that asks for a second check of this write. */
	public Intent forSecondCheck() {
		return new Intent(SECOND_CHECK + without(TAKEN, this.text), this.kind, this.subject, this.detail);
	}

	/** Kinds of writes. */
	public enum Kind {

		/** A user registers. Detail: the folded name. */
		REGISTRATION,
		/** All sessions of a user end. Detail: the generation of those sessions. */
		ROTATION,
		/**
		 * A user changes the password, and so all other sessions end. Detail: the
		 * generation of those sessions, a colon, and the mark of this change.
		 */
		PASSWORD,
		/** One session of a user ends. Detail: the hash of its token. */
		SESSION_END,
		/** A user changes name or bio. */
		PROFILE,
		/** A user deletes the account. */
		CLOSING,
		/**
		 * A user was told that the account is deleted, but the log could not be told. If
		 * a fail-over has lost the deletion, it is made again.
		 */
		CLOSED,
		/** An operator suspends or restores a user. Detail: which of the two. */
		SUSPENSION,
		/**
		 * A post is stored and then published. Detail: its author, a colon, and the once
		 * value of the form.
		 */
		POST,
		/** A published post is added to its author's own lists. Detail: the author. */
		DELIVERY,
		/** A post is deleted. Detail: its author. */
		DELETION,
		/**
		 * A repost is removed if it was made after a block. Detail: the ms of its log
		 * entry.
		 */
		REPOST,
		/** A user starts or stops following another. Detail: the other user. */
		FOLLOW,
		/**
		 * A user mutes or blocks another, or takes that back. Detail: which of the two,
		 * and the other user.
		 */
		RESTRICTION,
		/**
		 * A user reacts to a post, such as by a like, or takes that back. Detail: the
		 * reaction, the post and its author.
		 */
		REACTION;

		String text() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
