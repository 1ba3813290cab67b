package live.retwis.locks.nodes.testing;

import live.retwis.locks.nodes.proxy.FaultProxy;

/**
 * A real Redis server that persists nothing unless told to. One that a test asked for
 * with {@link OwnRedis} can be paused and killed; the shared one refuses that.
 */
public interface TestRedis extends AutoCloseable {

	String host();

	/** Stays the same over {@link #restart()}. */
	int port();

	/** Its address, {@code redis://host:port}. */
	default String uri() {
		return "redis://" + host() + ":" + port();
	}

	/** Host and port by which servers from the same source reach it. */
	default String peer() {
		return host() + " " + port();
	}

	/** A proxy before it. */
	default FaultProxy proxy() {
		return FaultProxy.to(host(), port());
	}

	/** Becomes a replica, without waiting until it has the data. */
	default void follow(TestRedis master) {
		InlineProtocol.expect("+OK", host(), port(), "REPLICAOF " + master.peer());
	}

	/** Stops it in its tracks: connections stay open, nothing answers. */
	void pause();

	/** Lets it go on after {@link #pause()}. */
	void resume();

	/** Ends it at once; on return it is gone. */
	void kill();

	/** Starts it again on the same port, killing it if it runs; on return it answers. */
	void restart();

	/** Removes all data. */
	default void flushAll() {
		InlineProtocol.expect("+OK", host(), port(), "FLUSHALL");
	}

	@Override
	void close();

}
