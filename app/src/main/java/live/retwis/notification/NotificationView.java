package live.retwis.notification;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import live.retwis.account.User;
import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.post.Post;
import live.retwis.web.PersonView;
import live.retwis.web.Viewer;
import org.jspecify.annotations.Nullable;

/**
 * A group of notifications on the page, as a sentence: “A, B and 3 others like your
 * post”.
 *
 * @param type what was done
 * @param unread whether the user has not read the newest of them
 * @param time when it was done last, in ms
 * @param first the user who did it last
 * @param second the user who did it before; null for none
 * @param otherUsers how many more did it
 * @param others says how many more did it; null for none
 * @param everybody address of the list of all who did it
 * @param words the rest of the sentence
 * @param postId id of the post that it is about; null for none
 * @param text how that post begins; null for none
 */
record NotificationView(NotificationType type, boolean unread, long time, PersonView first, @Nullable PersonView second,
		int otherUsers, @Nullable Localized others, String everybody, Localized words, @Nullable String postId,
		@Nullable String text) {

	/** Users whose names are shown. */
	private static final int NAMED = 2;

	/** Characters of a post that are shown. */
	private static final int MOST_CHARACTERS = 80;

	/**
	 * The view of a group.
	 * @param posts by id, at least the post of the group
	 * @param users by id, at least the users of the group
	 * @param readUpTo ms; newer notifications are unread
	 */
	static NotificationView of(NotificationGroup group, Viewer viewer, Map<String, Post> posts, Map<String, User> users,
			long readUpTo) {
		long time = group.newest().score();
		List<PersonView> named = group.actorIds()
			.stream()
			.limit(NAMED)
			.map((actorId) -> Objects.requireNonNull(users.get(actorId)).since(time))
			.toList();
		int all = group.actorIds().size();
		int others = all - named.size();
		@Nullable Post post = posts.get(group.about().postId());
		return new NotificationView(group.about().type(), time > readUpTo, time, named.get(0),
				(named.size() > 1) ? named.get(1) : null, others,
				(others > 0) ? Message.of("notification.others", others) : null, everybody(group, viewer),
				group.about().type().words(all), (post != null) ? post.id() : null,
				(post != null) ? beginning(post.body()) : null);
	}

	/** Names the group on the page, however many users are in it. */
	String group() {
		return this.type + "-" + ((this.postId != null) ? this.postId : "");
	}

	private static String everybody(NotificationGroup group, Viewer viewer) {
		return switch (group.about().type()) {
			case FOLLOW -> "/@" + viewer.username() + "/followers";
			case LIKE -> "/posts/" + group.about().postId() + "/likes";
			case REPOST -> "/posts/" + group.about().postId() + "/reposts";
			case MENTION, REPLY -> "/posts/" + group.about().postId();
		};
	}

	/** The beginning of a text, in one line. */
	static String beginning(String text) {
		String line = text.strip().replaceAll("\\s+", " ");
		return (line.codePointCount(0, line.length()) <= MOST_CHARACTERS) ? line
				: line.substring(0, line.offsetByCodePoints(0, MOST_CHARACTERS)) + "…";
	}

}
