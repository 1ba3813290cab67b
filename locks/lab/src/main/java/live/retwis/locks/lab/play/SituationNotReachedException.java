package live.retwis.locks.lab.play;

/**
 * The situation that a scenario is about did not come about.
 */
final class SituationNotReachedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	SituationNotReachedException(String what) {
		super(what);
	}

}
