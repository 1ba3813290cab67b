package live.retwis.locks.lab.design;

/**
 * A simulated node with one key.
 */
final class SimulatedNode implements DesignNode {

	private static final int MILLION = 1_000_000;

	private final DesignScheduler clock;

	/** By how much its clock is too fast, in millionths. */
	private int millionths;

	private String owner = "";

	private long end;

	private boolean up = true;

	SimulatedNode(DesignScheduler clock) {
		this.clock = clock;
	}

	/** Makes its clock too fast. */
	void hasten(int byMillionths) {
		this.millionths = byMillionths;
	}

	@Override
	public boolean isUp() {
		return this.up;
	}

	void up(boolean up) {
		this.up = up;
	}

	private long now() {
		long read = this.clock.read();
		return read + read / MILLION * this.millionths;
	}

	@Override
	public String holder() {
		return (this.end > now()) ? this.owner : "";
	}

	@Override
	public boolean take(String asking, long lease) {
		if (!holder().isEmpty()) {
			return false;
		}
		this.owner = asking;
		this.end = now() + lease;
		return true;
	}

	@Override
	public boolean confirm(String asking, long lease) {
		return holder().equals(asking) && expire(lease);
	}

	@Override
	public boolean expire(long lease) {
		if (holder().isEmpty()) {
			return false;
		}
		this.end = now() + lease;
		return true;
	}

	@Override
	public boolean release(String asking, boolean any) {
		boolean deletes = any ? !holder().isEmpty() : holder().equals(asking);
		this.end = deletes ? 0 : this.end;
		return deletes;
	}

	/** What the node holds, as the lab's histories say it. */
	String holding() {
		return holder().isEmpty() ? "free" : holder() + " for " + left() / DesignScheduler.MILLI + " ms";
	}

	/** How long the key is still there, by an exact clock. */
	private long left() {
		return (this.end - now()) * MILLION / (MILLION + this.millionths);
	}

}
