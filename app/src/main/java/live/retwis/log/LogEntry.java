package live.retwis.log;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.stream.MapRecord;

/**
 * One entry of the commit log: ids and small facts. Of what users write it has only tags
 * and, when a name is free again, the name.
 *
 * @param position its position in the log
 * @param type what happened
 * @param post id of the post that the entry is about; empty for none
 * @param user id of the user who did it
 * @param other id of the user it was done to; empty for none
 * @param facts what changed, as JSON without spaces; of a post what it replies to and its
 * folded tags, see {@link #replyTo()} and {@link #tags()}; of many posts their ids, see
 * {@link #recounted()}; empty when the type says everything
 * @param pulled whether readers pull the post; otherwise fan-out pushes it to them
 */
public record LogEntry(LogPosition position, Type type, String post, String user, String other, String facts,
		boolean pulled) {

	/** The facts of a deletion that open pages need not be told of. */
	static final String SILENT = "silent";

	/** Between the facts of a post, and between ids; neither has it. */
	private static final String BETWEEN_FACTS = ",";

	/** Before the id of the post that a post replies to; no tag begins with it. */
	private static final String REPLY = ">";

	/**
	 * Before the id of the post that a post reposts; no tag begins with it.
	 * {@code publish.lua} looks for it.
	 */
	private static final String REPOST = "=";

	/** An entry without facts. */
	public LogEntry(LogPosition position, Type type, String post, String user, String other) {
		this(position, type, post, user, other, "", false);
	}

	/** The folded tags of a post that was made; none for other entries. */
	public List<String> tags() {
		return ofPost().filter((fact) -> !fact.startsWith(REPLY) && !fact.startsWith(REPOST)).toList();
	}

	/** The id of the post that a new post replies to; empty when it replies to none. */
	public Optional<String> replyTo() {
		return ofPost(REPLY);
	}

	/** The id of the post that a new post reposts; empty when it reposts none. */
	public Optional<String> repostOf() {
		return ofPost(REPOST);
	}

	/**
	 * Whether open pages need not be told of it: it deletes a repost whose original they
	 * have removed already, or a post by a user whose posts they have removed.
	 */
	public boolean isSilent() {
		return this.type == Type.DELETE && this.facts.equals(SILENT);
	}

	private Optional<String> ofPost(String mark) {
		return ofPost().filter((fact) -> fact.startsWith(mark)).map((fact) -> fact.substring(1)).findFirst();
	}

	private Stream<String> ofPost() {
		return (this.type == Type.POST && !this.facts.isEmpty()) ? Stream.of(this.facts.split(BETWEEN_FACTS))
				: Stream.empty();
	}

	/** The ids of the posts whose counts have changed; none for other entries. */
	public List<String> recounted() {
		return (this.type == Type.RECOUNTED) ? List.of(this.facts.split(BETWEEN_FACTS)) : List.of();
	}

	/** The facts of many posts. */
	static String factsOf(Collection<String> postIds) {
		return String.join(BETWEEN_FACTS, postIds);
	}

	/**
	 * What the log has of a post beside its author.
	 *
	 * @param tags its tags, folded
	 * @param replyTo id of the post that it replies to; null for none
	 * @param repostOf id of the post that it reposts; null for none
	 */
	public record PostFacts(Collection<String> tags, @Nullable String replyTo, @Nullable String repostOf) {

		/** The facts as the log has them; empty for none. */
		String text() {
			return Stream
				.concat(Stream.concat(fact(REPOST, this.repostOf), fact(REPLY, this.replyTo)), this.tags.stream())
				.collect(Collectors.joining(BETWEEN_FACTS));
		}

		private static Stream<String> fact(String mark, @Nullable String postId) {
			return (postId != null) ? Stream.of(mark + postId) : Stream.empty();
		}

	}

	/** What happened. */
	public enum Type {

		/** The first entry of a log. */
		START,
		/** {@code user} made {@code post}, whose tags are in {@code facts}. */
		POST,
		/** {@code user} deleted {@code post}. */
		DELETE,
		/** {@code user} follows {@code other}. */
		FOLLOW,
		/** {@code user} no longer follows {@code other}. */
		UNFOLLOW,
		/** {@code user} has muted {@code other}. */
		MUTE,
		/** {@code user} no longer mutes {@code other}. */
		UNMUTE,
		/** {@code user} has blocked {@code other}. */
		BLOCK,
		/** {@code user} no longer blocks {@code other}. */
		UNBLOCK,
		/** {@code user} likes {@code post} by {@code other}. */
		LIKE,
		/** {@code user} no longer likes {@code post} by {@code other}. */
		UNLIKE,
		/** What others see of {@code user} has changed. */
		PROFILE,
		/**
		 * A counter of {@code post}, written by {@code user}, has changed, see
		 * {@code facts}.
		 */
		COUNTS,
		/**
		 * Counters of many posts have changed, because {@code user} has deleted the
		 * account. Their ids are in {@code facts}.
		 */
		RECOUNTED,
		/**
		 * {@code user} has more or fewer unread notifications, see {@code facts}.
		 */
		NOTIFY,
		/**
		 * Sessions of {@code user} are over, so that all home streams of the user end.
		 */
		AUTH,
		/** {@code user} has deleted the account, and every session is over. */
		CLOSED,
		/** {@code user} is suspended, and every session is over. */
		SUSPENDED,
		/** {@code user} is no longer suspended. */
		RESTORED,
		/**
		 * The name in {@code facts} is free again. Without a name: the account of
		 * {@code user} is still deleted, and caches drop its posts.
		 */
		FREED,
		/** A newer release has written the entry. This one skips it. */
		UNKNOWN;

		/** The name of the type in the log. */
		public String text() {
			return name().toLowerCase(java.util.Locale.ROOT);
		}

		/**
		 * The type of that name in the log. {@link #UNKNOWN} when this release does not
		 * know it.
		 */
		public static Type of(String text) {
			for (Type type : values()) {
				if (type.text().equals(text)) {
					return type;
				}
			}
			return UNKNOWN;
		}

	}

	/** Reads an entry of the stream. */
	public static LogEntry of(MapRecord<String, String, String> entry) {
		return of(entry.getId().getValue(), entry.getValue());
	}

	/** Reads an entry of the stream. */
	public static LogEntry of(String entryId, Map<String, String> fields) {
		return new LogEntry(LogPosition.of(entryId, fields.getOrDefault("nonce", "")),
				Type.of(fields.getOrDefault("type", "")), fields.getOrDefault("post", ""),
				fields.getOrDefault("user", ""), fields.getOrDefault("other", ""), fields.getOrDefault("facts", ""),
				fields.containsKey("pulled"));
	}

	/**
	 * An entry as it is announced on the bus, together with the position of the entry
	 * before it. A receiver compares that position with the last entry it knows. A
	 * difference shows a gap, or a log that was cut in a fail-over and gave the same id
	 * to another entry.
	 *
	 * @param previous position of the entry before as text, {@code 0-0} for the first
	 * entry
	 * @param entry the entry
	 */
	public record Announcement(String previous, LogEntry entry) {

		/**
		 * Reads a message that the scripts publish: previous position, id, then field
		 * names and values, separated by spaces.
		 */
		public static Announcement parse(String message) {
			String[] words = message.split(" ");
			Map<String, String> fields = new HashMap<>();
			for (int i = 2; i + 1 < words.length; i += 2) {
				fields.put(words[i], words[i + 1]);
			}
			return new Announcement(words[0], LogEntry.of(words[1], fields));
		}

	}

}
