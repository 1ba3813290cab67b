package live.retwis.live;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import live.retwis.log.LogEntry;
import live.retwis.restriction.HiddenAuthors;
import live.retwis.web.Viewer;
import org.jspecify.annotations.Nullable;

/**
 * What a stream is for.
 *
 * @param kind the kind of stream
 * @param subject id of the user whose home or whose posts it shows, or whom a page
 * without a live list is about; the folded tag; or the id of the post. Empty for others
 * @param topics it wants entries that are about one of these; none when that does not
 * matter
 * @param since ms; posts that were committed earlier are not wanted
 * @param server name of the instance, which the stream is sent; null to send none
 * @param viewer id of the user who looks at it; empty when signed out
 */
record StreamSelection(Kind kind, String subject, Set<String> topics, long since, @Nullable String server,
		String viewer) {

	/** Kinds of streams. */
	enum Kind {

		/** A user's own posts, and those of everyone the user follows. */
		HOME,
		/** Every new post. Reposts show no new ones. */
		EVERYONE,
		/** One user's new posts. */
		AUTHOR,
		/** New posts with a tag. */
		TAG,
		/** New replies to a post, and below them. */
		CONVERSATION,
		/**
		 * No new posts: only what every stream of its viewer is told, and the counts of
		 * some posts, for pages without a list that is live.
		 */
		VIEWER

	}

	/**
	 * Whether the stream wants an entry.
	 * @param authors ids of the authors whose posts it wants, for a home or a user
	 */
	boolean wants(Set<String> authors, FeedEntry entry) {
		LogEntry logged = entry.entry();
		return switch (logged.type()) {
			case POST -> isRecentEnough(logged) && isOf(authors, entry);
			case COUNTS -> isOf(authors, entry);
			case RESTORED -> showsPosts();
			case PROFILE, DELETE, CLOSED, SUSPENDED -> true;
			case NOTIFY, BLOCK -> this.viewer.equals(logged.user());
			case MUTE -> this.viewer.equals(logged.user()) && leavesOutMuted(logged.other());
			default -> false;
		};
	}

	/**
	 * Whether its page shows no post of a muted user. The profile of that user does, and
	 * a conversation may be about such a post.
	 */
	private boolean leavesOutMuted(String userId) {
		return switch (this.kind) {
			case HOME, EVERYONE, TAG -> true;
			case AUTHOR, VIEWER -> !this.subject.equals(userId);
			case CONVERSATION -> false;
		};
	}

	/** Whom it leaves out, of those whom its viewer does not see. */
	HiddenAuthors leftOut(HiddenAuthors hidden) {
		return switch (this.kind) {
			case AUTHOR, VIEWER -> hidden.onProfileOf(this.subject);
			case HOME, EVERYONE, TAG, CONVERSATION -> hidden;
		};
	}

	/**
	 * False for a post that is older than all on the page, which may be on its next one.
	 */
	boolean isRecentEnough(LogEntry logged) {
		return logged.type() != LogEntry.Type.POST || logged.position().millis() >= this.since;
	}

	private boolean isOf(Set<String> authors, FeedEntry entry) {
		return switch (this.kind) {
			case EVERYONE -> entry.entry().repostOf().isEmpty();
			case HOME, AUTHOR -> authors.contains(entry.entry().user()) || isAbout(entry)
					|| entry.reposters().stream().anyMatch(authors::contains);
			case TAG, CONVERSATION, VIEWER -> isAbout(entry);
		};
	}

	private boolean isAbout(FeedEntry entry) {
		return entry.topics().stream().anyMatch(this.topics::contains);
	}

	/**
	 * Whether its page shows new posts. Any such page may show a post of any user,
	 * because others repost it.
	 */
	boolean showsPosts() {
		return this.kind != Kind.VIEWER;
	}

	static StreamSelection home(String userId) {
		return new StreamSelection(Kind.HOME, userId, Set.of(), 0, null, userId);
	}

	/**
	 * @param userId id of the viewer; empty when signed out
	 */
	static StreamSelection viewer(String userId) {
		return viewer(userId, "");
	}

	/**
	 * @param about id of the user whom the page goes on showing when its viewer mutes
	 * them; empty for nobody
	 */
	static StreamSelection viewer(String userId, String about) {
		return new StreamSelection(Kind.VIEWER, about, Set.of(), 0, null, userId);
	}

	static StreamSelection everyone() {
		return new StreamSelection(Kind.EVERYONE, "", Set.of(), 0, null, "");
	}

	static StreamSelection author(String userId) {
		return new StreamSelection(Kind.AUTHOR, userId, Set.of(), 0, null, "");
	}

	static StreamSelection tag(String foldedTag) {
		return new StreamSelection(Kind.TAG, foldedTag, Set.of(PostTopics.tag(foldedTag), PostTopics.ANY_TAG), 0, null,
				"");
	}

	static StreamSelection conversation(String postId) {
		return new StreamSelection(Kind.CONVERSATION, postId,
				Set.of(PostTopics.conversation(postId), PostTopics.ANY_CONVERSATION), 0, null, "");
	}

	/**
	 * A copy that also wants the counts of these posts. The page shows them, but the
	 * stream is not told of them by what it is for. A stream of everyone is told of all.
	 */
	StreamSelection withCountsOf(List<String> postIds) {
		if (this.kind == Kind.EVERYONE || postIds.isEmpty()) {
			return this;
		}
		Set<String> wanted = new HashSet<>(this.topics);
		postIds.forEach((id) -> wanted.add(PostTopics.counts(id)));
		return new StreamSelection(this.kind, this.subject, wanted, this.since, this.server, this.viewer);
	}

	/**
	 * A copy that does not want posts committed before this time. The page shows those on
	 * its older pages.
	 */
	StreamSelection since(long millis) {
		return new StreamSelection(this.kind, this.subject, this.topics, millis, this.server, this.viewer);
	}

	/** A copy that is sent the name of the instance. */
	StreamSelection servedBy(String instance) {
		return new StreamSelection(this.kind, this.subject, this.topics, this.since, instance, this.viewer);
	}

	/**
	 * A copy that is without the posts that the viewer does not see, and is told how many
	 * notifications the viewer has not read.
	 */
	StreamSelection seenBy(Optional<Viewer> viewer) {
		return new StreamSelection(this.kind, this.subject, this.topics, this.since, this.server,
				viewer.map(Viewer::id).orElse(this.viewer));
	}

}
