package live.retwis.notification;

import java.util.Optional;

import live.retwis.redis.TimeSortedIdGenerator;

/**
 * What somebody did that a user is told of.
 *
 * @param type what
 * @param actorId id of the user who did it
 * @param postId id of the post that was liked or reposted, or that mentions the user or
 * replies; empty for a follow
 */
public record Notification(NotificationType type, String actorId, String postId) {

	private static final String BETWEEN = ":";

	/**
	 * As the member of a sorted set: {@code type:actor:post}, or {@code follow:actor}.
	 */
	public String member() {
		String who = this.type.text() + BETWEEN + this.actorId;
		return this.postId.isEmpty() ? who : who + BETWEEN + this.postId;
	}

	/** Reads a member of a sorted set; empty when it is malformed. */
	public static Optional<Notification> parse(String member) {
		String[] parts = member.split(BETWEEN);
		if (parts.length < 2 || parts.length > 3 || !TimeSortedIdGenerator.isValid(parts[1])) {
			return Optional.empty();
		}
		String postId = (parts.length == 3) ? parts[2] : "";
		return NotificationType.of(parts[0])
			.filter((type) -> (type == NotificationType.FOLLOW) ? postId.isEmpty()
					: TimeSortedIdGenerator.isValid(postId))
			.map((type) -> new Notification(type, parts[1], postId));
	}

	/** What it is about, whoever did it. */
	Notification ofAnybody() {
		return new Notification(this.type, "", this.postId);
	}

}
