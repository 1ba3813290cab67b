package live.retwis.locks;

/**
 * A command as it travels to a node.
 *
 * @param kind what it does there
 * @param key which
 * @param owner whose
 * @param leaseMillis for how long
 */
record SimulatedCommand(Kind kind, String key, String owner, long leaseMillis) {

	/** What scripts do. */
	enum Kind {

		/** By this library's script or by Redisson's. */
		TAKE,

		/** Raises the time to live of one's own key. */
		EXTEND,

		/** Deletes one's own key. */
		RELEASE

	}

	@Override
	public String toString() {
		return this.kind + " " + this.owner.substring(0, 6);
	}

	/** Read from a script and what it is given. */
	static SimulatedCommand parse(String script, Object key, Object[] arguments) {
		boolean redissons = script.contains("hincrby");
		Kind kind = (redissons || script.contains("'hset'")) ? Kind.TAKE
				: script.contains("'del'") ? Kind.RELEASE : Kind.EXTEND;
		int owner = redissons ? 1 : 0;
		return new SimulatedCommand(kind, key.toString(), arguments[owner].toString(),
				Long.parseLong(arguments[1 - owner].toString()));
	}

}
