package live.retwis.notification;

import java.util.Locale;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.Stream;

import live.retwis.i18n.Message;

/** What somebody can do that another user is told of. */
public enum NotificationType {

	/** Follows the user. */
	FOLLOW((users) -> Message.of("notification.follow", users)),

	/** Likes a post by the user. */
	LIKE((users) -> Message.of("notification.like", users)),

	/** Reposts a post by the user. */
	REPOST((users) -> Message.of("notification.repost")),

	/** Mentions the user in a post. */
	MENTION((users) -> Message.of("notification.mention")),

	/** Replies to a post by the user. */
	REPLY((users) -> Message.of("notification.reply"));

	private final IntFunction<Message> words;

	NotificationType(IntFunction<Message> words) {
		this.words = words;
	}

	/** What follows the names of so many users in a sentence. */
	Message words(int users) {
		return this.words.apply(users);
	}

	/** The name of the type in Redis and in JSON. */
	String text() {
		return name().toLowerCase(Locale.ROOT);
	}

	static Optional<NotificationType> of(String text) {
		return Stream.of(values()).filter((type) -> type.text().equals(text)).findFirst();
	}

}
