package live.retwis.locks;

/**
 * A command to a node.
 *
 * @param kind what it does
 * @param key the key
 * @param owner the owner of the key
 * @param leaseMillis the lease time
 */
record SimulatedCommand(Kind kind, String key, String owner, long leaseMillis) {

	/** The purpose of a script. */
	enum Kind {

		/** Takes the key, with this library's script or with Redisson's. */
		TAKE,

		/** Raises the time to live of the owner's key. */
		EXTEND,

		/** Deletes the owner's key. */
		RELEASE

	}

	@Override
	public String toString() {
		return this.kind + " " + this.owner.substring(0, 6);
	}

	/** Reads the command from a script and its arguments. */
	static SimulatedCommand parse(String script, Object key, Object[] arguments) {
		boolean redissons = script.contains("hincrby");
		Kind kind = (redissons || script.contains("'hset'")) ? Kind.TAKE
				: script.contains("'del'") ? Kind.RELEASE : Kind.EXTEND;
		int owner = redissons ? 1 : 0;
		return new SimulatedCommand(kind, key.toString(), arguments[owner].toString(),
				Long.parseLong(arguments[1 - owner].toString()));
	}

}
