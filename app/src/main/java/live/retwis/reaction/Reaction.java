package live.retwis.reaction;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import live.retwis.i18n.Message;
import live.retwis.log.LogEntry;
import live.retwis.post.PostCountType;
import live.retwis.redis.Keys;

/** What a user can do to a post, at most once, and take back. */
enum Reaction {

	/** Likes the post. */
	LIKE(PostCountType.LIKES, LogEntry.Type.LIKE, LogEntry.Type.UNLIKE, Keys::likes, Keys::liked,
			new Texts(Message.of("reaction.like"), Message.of("reaction.unlike"),
					Message.of("reaction.likes-full", ReactionRepository.MOST),
					(author) -> Message.of("reaction.like-blocked", author)));

	private final PostCountType count;

	private final LogEntry.Type done;

	private final LogEntry.Type undone;

	private final UnaryOperator<String> usersKey;

	private final UnaryOperator<String> postsKey;

	private final Texts texts;

	Reaction(PostCountType count, LogEntry.Type done, LogEntry.Type undone, UnaryOperator<String> usersKey,
			UnaryOperator<String> postsKey, Texts texts) {
		this.count = count;
		this.done = done;
		this.undone = undone;
		this.usersKey = usersKey;
		this.postsKey = postsKey;
		this.texts = texts;
	}

	/** The count of a post that it adds to. */
	PostCountType count() {
		return this.count;
	}

	/** Type of the log entry of the reaction, or of taking it back. */
	LogEntry.Type type(boolean reacts) {
		return reacts ? this.done : this.undone;
	}

	/** Key of the users who react to a post. */
	String users(String postId) {
		return this.usersKey.apply(postId);
	}

	/** Key of the posts that a user reacts to. */
	String posts(String userId) {
		return this.postsKey.apply(userId);
	}

	/** Last part of the address that does it, or takes it back. */
	String action(boolean reacts) {
		return type(reacts).text();
	}

	/** Name of the list of those who react, in addresses. */
	String list() {
		return this.count.name().toLowerCase(Locale.ROOT);
	}

	Texts texts() {
		return this.texts;
	}

	/** The reaction that a log entry is about; empty when it is about none. */
	static Optional<Reaction> of(LogEntry.Type type) {
		return Stream.of(values()).filter((some) -> some.done == type || some.undone == type).findFirst();
	}

	/**
	 * Texts for people.
	 *
	 * @param react label of the button that reacts
	 * @param undo label of the button that takes it back
	 * @param full why a user who reacts to the most posts cannot react to another
	 * @param blocked why a user cannot react whom the author has blocked, by the author's
	 * name
	 */
	record Texts(Message react, Message undo, Message full, Function<String, Message> blocked) {
	}

}
