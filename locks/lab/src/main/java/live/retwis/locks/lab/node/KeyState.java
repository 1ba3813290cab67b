package live.retwis.locks.lab.node;

/**
 * What a node holds of a lock.
 *
 * @param owner the name of the owner on that node; empty for nobody
 * @param millisLeft the key's time to live; -1 for ever, -2 for no key
 */
public record KeyState(String owner, long millisLeft) {

	/** Nobody has it. */
	public static final KeyState FREE = new KeyState("", -2);

	/** The node does not answer. */
	public static final KeyState SILENT = new KeyState("?", -2);

	public boolean isFree() {
		return equals(FREE);
	}

	public boolean isHeld() {
		return !isFree() && !equals(SILENT);
	}

	@Override
	public String toString() {
		return isFree() ? "free" : !isHeld() ? "silent" : this.owner + " for " + this.millisLeft + " ms";
	}

}
