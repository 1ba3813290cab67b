package live.retwis.locks.lab.play;

import java.time.Duration;

import live.retwis.locks.LockSettings;
import live.retwis.locks.lab.engine.FencingMode;

/**
 * The settings of a lab.
 *
 * @param nodes how many lock nodes: 3 or 5
 * @param lease the lease that clients ask for: 500 ms to 5 s
 * @param nodeTimeout how long the engines of this library wait for one node: 10 ms to 1
 * s. Redisson's own locks keep its default settings
 * @param fence how the store tells a late write; absent in files of earlier releases
 */
public record LabSettings(int nodes, Duration lease, Duration nodeTimeout, FencingMode fence) {

	/** The settings for which the scenarios are described. */
	public static final LabSettings DEFAULT = new LabSettings(5, Duration.ofSeconds(1), LockSettings.NODE_TIMEOUT,
			FencingMode.ENGINE);

	/**
	 * Checks the settings.
	 * @throws IllegalArgumentException says which values are allowed
	 */
	public LabSettings {
		fence = (fence != null) ? fence : FencingMode.ENGINE;
		if (nodes != 3 && nodes != 5) {
			throw new IllegalArgumentException("The lab has 3 or 5 nodes, not " + nodes);
		}
		check("A lease", lease, 500, 5000);
		check("A node time-out", nodeTimeout, 10, 1000);
	}

	/** The same settings with another way of fencing. */
	public LabSettings with(FencingMode other) {
		return new LabSettings(this.nodes, this.lease, this.nodeTimeout, other);
	}

	private static void check(String what, Duration time, long least, long most) {
		if (time.toMillis() < least || time.toMillis() > most) {
			throw new IllegalArgumentException(
					what + " takes " + least + " to " + most + " ms, not " + time.toMillis() + " ms");
		}
	}

}
