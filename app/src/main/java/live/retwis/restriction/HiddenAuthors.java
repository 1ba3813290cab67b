package live.retwis.restriction;

import java.util.HashSet;
import java.util.Set;

import live.retwis.log.LogEntry;

/**
 * The users whom a viewer does not see: neither their posts nor themselves in lists.
 *
 * @param muted ids of the users whom the viewer has muted
 * @param blocked ids of the users whom the viewer has blocked
 */
public record HiddenAuthors(Set<String> muted, Set<String> blocked) {

	/** For visitors, and for viewers who have restricted nobody. */
	public static final HiddenAuthors NOBODY = new HiddenAuthors(Set.of(), Set.of());

	public boolean isNobody() {
		return this.muted.isEmpty() && this.blocked.isEmpty();
	}

	public boolean contains(String userId) {
		return this.muted.contains(userId) || this.blocked.contains(userId);
	}

	/**
	 * Who is hidden on the profile of a user. A viewer who goes there sees that user's
	 * posts, muted or not.
	 */
	public HiddenAuthors onProfileOf(String userId) {
		return this.muted.contains(userId) ? new HiddenAuthors(changed(this.muted, userId, false), this.blocked) : this;
	}

	/** Who is hidden after an entry of the viewer. Other entries change nothing. */
	public HiddenAuthors with(LogEntry entry) {
		return switch (entry.type()) {
			case MUTE, UNMUTE ->
				new HiddenAuthors(changed(this.muted, entry.other(), entry.type() == LogEntry.Type.MUTE), this.blocked);
			case BLOCK, UNBLOCK -> new HiddenAuthors(this.muted,
					changed(this.blocked, entry.other(), entry.type() == LogEntry.Type.BLOCK));
			default -> this;
		};
	}

	private static Set<String> changed(Set<String> users, String userId, boolean in) {
		Set<String> changed = new HashSet<>(users);
		if (in) {
			changed.add(userId);
		}
		else {
			changed.remove(userId);
		}
		return Set.copyOf(changed);
	}

}
