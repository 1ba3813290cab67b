package live.retwis.locks.lab.play;

/**
 * The situation that a scenario is about did not come about.
 */
final class SituationNotReached extends RuntimeException {

	private static final long serialVersionUID = 1L;

	SituationNotReached(String what) {
		super(what);
	}

}
