package live.retwis.locks.lab.play;

import java.util.Optional;

/** A client of free play. Its methods do not wait. */
interface FreePlayClient {

	RoundClient actor();

	/** Does what is due now. */
	void step();

	/**
	 * Tells the client to do something.
	 * @return why it does not do it; empty when it does
	 */
	Optional<Refusal> order(ClientAction.Kind what);

}
