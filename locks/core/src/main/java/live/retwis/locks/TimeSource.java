package live.retwis.locks;

/**
 * Both clocks of this machine.
 */
@FunctionalInterface
interface TimeSource {

	TimeSource SYSTEM = () -> new Moment(System.nanoTime(), System.currentTimeMillis());

	Moment now();

}
