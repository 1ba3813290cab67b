package live.retwis.cluster;

import java.util.List;

/**
 * Something that is broken or was. All times are ms since the epoch.
 *
 * @param id names it, unique in one run of the program
 * @param kind what was broken
 * @param part the part that was broken, such as {@code instance-2}
 * @param by name of the user who asked for it
 * @param began when it was broken
 * @param until when it heals by itself
 * @param healed when it was healed; 0 while it is broken
 * @param changes what happened to the parts since then, oldest first
 */
public record ClusterFaultRecord(long id, ClusterFaultKind kind, String part, String by, long began, long until,
		long healed, List<PartChange> changes) {

	/** The same without the name of the user who asked for it. */
	public ClusterFaultRecord nameless() {
		return new ClusterFaultRecord(this.id, this.kind, this.part, "", this.began, this.until, this.healed,
				this.changes);
	}

	/** Whether it was not healed yet at a time, in ms since the epoch. */
	public boolean lastedUntil(long time) {
		return isActive() || this.healed >= time;
	}

	/** Whether it is not healed yet. */
	public boolean isActive() {
		return this.healed == 0;
	}

}
