package live.retwis.locks.lab.design;

/** A node of a design, as the commands of clients find it. */
interface DesignNode {

	/** Whether it answers. */
	boolean isUp();

	/** Who has the key; empty for nobody. */
	String holder();

	/**
	 * SET NX PX.
	 * @param lease in nanoseconds
	 */
	boolean take(String asking, long lease);

	/** PEXPIRE if the key has this name. */
	boolean confirm(String asking, long lease);

	/** PEXPIRE. */
	boolean expire(long lease);

	/** DEL, if the key has this name or if the name does not matter. */
	boolean release(String asking, boolean any);

}
