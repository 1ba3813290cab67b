package live.retwis.restriction;

import java.util.function.Function;
import java.util.function.UnaryOperator;

import live.retwis.i18n.Message;
import live.retwis.log.LogEntry;
import live.retwis.redis.Keys;

/** What a user can do against another user, and take back. */
enum Restriction {

	/** Hides the other user's posts. */
	MUTE("muted", LogEntry.Type.MUTE, LogEntry.Type.UNMUTE, Keys::muted,
			new Texts(Message.of("restriction.muted"), Message.of("restriction.muted-text"),
					Message.of("restriction.muted-empty"), Message.of("restriction.unmute"),
					(most) -> Message.of("restriction.mute-limit", most))),

	/**
	 * Hides the other user's posts, and keeps the other user from replying, notifying and
	 * following.
	 */
	BLOCK("blocked", LogEntry.Type.BLOCK, LogEntry.Type.UNBLOCK, Keys::blocked,
			new Texts(Message.of("restriction.blocked"), Message.of("restriction.blocked-text"),
					Message.of("restriction.blocked-empty"), Message.of("restriction.unblock"),
					(most) -> Message.of("restriction.block-limit", most)));

	private final String list;

	private final LogEntry.Type done;

	private final LogEntry.Type undone;

	private final UnaryOperator<String> key;

	private final Texts texts;

	Restriction(String list, LogEntry.Type done, LogEntry.Type undone, UnaryOperator<String> key, Texts texts) {
		this.list = list;
		this.done = done;
		this.undone = undone;
		this.key = key;
		this.texts = texts;
	}

	/** Name of the list of restricted users, in addresses and exports. */
	String list() {
		return this.list;
	}

	/** Type of the log entry of the restriction, or of taking it back. */
	LogEntry.Type type(boolean on) {
		return on ? this.done : this.undone;
	}

	/** Last part of the address that does it, or takes it back. */
	String action(boolean on) {
		return type(on).text();
	}

	/** Key of the users whom a user restricts. */
	String key(String userId) {
		return this.key.apply(userId);
	}

	Texts texts() {
		return this.texts;
	}

	/**
	 * Texts for people.
	 *
	 * @param title title of the list
	 * @param text what the restriction does
	 * @param empty in place of an empty list
	 * @param undo label of the button that takes it back
	 * @param full says that the list is full, by its limit
	 */
	record Texts(Message title, Message text, Message empty, Message undo, Function<Integer, Message> full) {
	}

}
