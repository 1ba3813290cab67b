package live.retwis.cluster;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What can be broken. */
public enum ClusterFaultKind {

	/** One instance is killed. */
	KILL_INSTANCE,
	/** All instances but one other than the given one are killed. */
	KILL_ALL_BUT_ONE,
	/**
	 * One instance stands still (SIGSTOP): it accepts connections and answers nothing.
	 */
	PAUSE_INSTANCE,
	/** One instance reaches no data node. */
	CUT_INSTANCE,
	/** Each command to the data nodes takes longer, from all instances. */
	SLOW_DATA,
	/** The data node that takes writes to the log is killed. */
	KILL_MASTER,
	/** One lock node is killed. */
	KILL_LOCK_NODE;

	/** The kind with this name in forms and files; empty for none. */
	public static Optional<ClusterFaultKind> named(String name) {
		return Stream.of(values()).filter((kind) -> kind.toString().equals(name)).findFirst();
	}

	/** The name in forms and files. */
	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
