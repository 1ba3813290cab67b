package live.retwis.locks.nodes.testing;

import live.retwis.locks.nodes.proxy.FaultProxy;

/**
 * A real Redis server. It keeps no data on disk unless a directive says so. A server that
 * a test asked for with {@link OwnRedis} can be paused and killed. The shared server
 * refuses that.
 */
public interface TestRedis extends AutoCloseable {

	String host();

	/** The port, which stays the same after {@link #restart()}. */
	int port();

	/** The address, {@code redis://host:port}. */
	default String uri() {
		return "redis://" + host() + ":" + port();
	}

	/** Host and port under which other servers of the same source reach this one. */
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

	/** Pauses the server: connections stay open, but nothing answers. */
	void pause();

	/** Lets the server continue after {@link #pause()}. */
	void resume();

	/** Kills the server. It has ended on return. */
	void kill();

	/**
	 * Starts the server again on the same port, and kills it first if it is running. It
	 * answers on return.
	 */
	void restart();

	/** Removes all data. */
	default void flushAll() {
		InlineProtocol.expect("+OK", host(), port(), "FLUSHALL");
	}

	@Override
	void close();

}
