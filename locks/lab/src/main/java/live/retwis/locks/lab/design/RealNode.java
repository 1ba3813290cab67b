package live.retwis.locks.lab.design;

import java.util.List;

import live.retwis.locks.lab.node.LabNode;

/**
 * A Redis server that is asked over a connection of the lab's own.
 *
 * @param node the server
 * @param key the name of the lock
 */
record RealNode(LabNode node, String key) implements DesignNode {

	private static final String CONFIRM = """
			if redis.call('get', KEYS[1]) == ARGV[1] then
				return redis.call('pexpire', KEYS[1], ARGV[2])
			end
			return 0""";

	private static final String RELEASE = """
			if redis.call('get', KEYS[1]) == ARGV[1] then
				return redis.call('del', KEYS[1])
			end
			return 0""";

	private static String millis(long nanos) {
		return Long.toString(nanos / DesignScheduler.MILLI);
	}

	private boolean ask(String... command) {
		return List.of(List.of("OK"), List.of("1")).contains(this.node.ask(command));
	}

	@Override
	public boolean isUp() {
		return this.node.isUp();
	}

	@Override
	public String holder() {
		return String.join("", this.node.ask("GET", this.key));
	}

	@Override
	public boolean take(String asking, long lease) {
		return ask("SET", this.key, asking, "NX", "PX", millis(lease));
	}

	@Override
	public boolean confirm(String asking, long lease) {
		return ask("EVAL", CONFIRM, "1", this.key, asking, millis(lease));
	}

	@Override
	public boolean expire(long lease) {
		return ask("PEXPIRE", this.key, millis(lease));
	}

	@Override
	public boolean release(String asking, boolean any) {
		return any ? ask("DEL", this.key) : ask("EVAL", RELEASE, "1", this.key, asking);
	}

}
