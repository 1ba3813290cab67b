package live.retwis.locks;

/**
 * Both clocks of this machine.
 */
@FunctionalInterface
interface TimeSource {

	TimeSource SYSTEM = () -> new ClockReading(System.nanoTime(), System.currentTimeMillis());

	ClockReading now();

}
