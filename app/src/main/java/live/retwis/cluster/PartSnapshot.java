package live.retwis.cluster;

/**
 * One part of a cluster as it was seen last.
 *
 * @param name such as {@code data-1}
 * @param port on this machine
 * @param state how it is
 * @param master whether it is a data node that takes writes
 */
public record PartSnapshot(String name, int port, PartState state, boolean master) {

	/** Whether nothing is wrong with it. */
	public boolean isUp() {
		return this.state == PartState.UP;
	}

}
