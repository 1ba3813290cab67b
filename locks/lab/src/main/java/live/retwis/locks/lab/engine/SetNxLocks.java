package live.retwis.locks.lab.engine;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import live.retwis.locks.lab.node.RawRedisClient;

/**
 * The lock on one node that tutorials build up: {@code SET key owner NX PX lease}. It
 * differs in how it is given back. {@code DEL} deletes whatever is there. {@code WATCH}
 * looks at the owner first, and gives up when the key changes before the {@code EXEC}.
 * The script does both in one step.
 *
 * @param node the node, as the client sees it
 * @param giveBack how the lock is given back
 */
record SetNxLocks(RawRedisClient node, GiveBack giveBack) implements LabLocks {

	/** A node that takes longer does not answer. */
	private static final Duration PATIENCE = Duration.ofSeconds(3);

	private static final String COMPARE_AND_DELETE = """
			if redis.call('get', KEYS[1]) == ARGV[1] then
				return redis.call('del', KEYS[1])
			end
			return 0""";

	/** How the lock is given back. */
	enum GiveBack {

		/** DEL. */
		DELETE,
		/** WATCH, GET, MULTI, DEL, EXEC. */
		WATCH,
		/** A script that compares and deletes. */
		SCRIPT

	}

	static SetNxLocks open(String node, GiveBack giveBack) {
		return new SetNxLocks(new RawRedisClient(URI.create(node).getPort(), PATIENCE), giveBack);
	}

	private static String key(String resource) {
		return "lock:" + resource;
	}

	@Override
	public LockGrant tryLock(String resource, Duration lease) throws NotGrantedException {
		String owner = UUID.randomUUID().toString();
		try {
			if (this.node.ask("SET", key(resource), owner, "NX", "PX", String.valueOf(lease.toMillis()))
				.equals(List.of("OK"))) {
				return new Held(this, key(resource), owner);
			}
		}
		catch (IOException | IllegalStateException ex) {
			throw new NotGrantedException("none", String.valueOf(ex.getMessage()));
		}
		throw new NotGrantedException("taken", "Somebody has the key");
	}

	@Override
	public boolean reaches(int number) {
		try {
			return this.node.ask("PING").equals(List.of("PONG"));
		}
		catch (IOException | IllegalStateException ex) {
			return false;
		}
	}

	/** Nothing stays open between two commands. */
	@Override
	public void close() {
	}

	private void release(String key, String owner) throws IOException {
		switch (this.giveBack) {
			case DELETE -> this.node.ask("DEL", key);
			case SCRIPT -> this.node.ask("EVAL", COMPARE_AND_DELETE, "1", key, owner);
			case WATCH -> {
				try (RawRedisClient.RawConnection connection = this.node.open()) {
					connection.ask("WATCH", key);
					if (connection.ask("GET", key).equals(List.of(owner))) {
						connection.ask("MULTI");
						connection.ask("DEL", key);
						connection.ask("EXEC");
					}
				}
			}
		}
	}

	private record Held(SetNxLocks locks, String key, String owner) implements LockGrant {

		@Override
		public WriteCondition guard() {
			return WriteCondition.NONE;
		}

		@Override
		public void release() {
			try {
				this.locks.release(this.key, this.owner);
			}
			catch (IOException ex) {
				throw new IllegalStateException("The release was not answered", ex);
			}
		}

	}

}
