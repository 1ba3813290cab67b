package live.retwis.locks.lab.play;

import java.util.Locale;

/** Why something that people ask of a client is not done. */
enum Refusal {

	/** Its process is dead. */
	DEAD("the client does not run"),

	/** Its process lives. */
	RUNS("the client runs"),

	/** Its process is paused already. */
	PAUSED("the client is paused"),

	/** Its process is not paused. */
	NOT_PAUSED("the client is not paused"),

	/** It could not reach all nodes. */
	NODE_DOWN("a client starts only while all nodes run"),

	/** It has an order that it has not carried out. */
	BUSY("the client is not done with what it was told before"),

	/** Its lease is not over. */
	HAS_LOCK("the client has the lock already"),

	/** It has nothing to use or to give back. */
	NO_LOCK("the client was not granted the lock"),

	/** It takes no orders. */
	BY_ITSELF("the clients do what they do by themselves");

	private final String why;

	Refusal(String why) {
		this.why = why;
	}

	/** The name in histories. */
	String label() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/** The reason, for people. */
	@Override
	public String toString() {
		return this.why;
	}

}
