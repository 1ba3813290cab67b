package live.retwis.locks.nodes.testing;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import live.retwis.locks.nodes.testing.FrameVerdict.Verdict;

/**
 * All that frames meet on their way through a proxy.
 */
final class Obstacles {

	private final List<Interception> interceptions = new CopyOnWriteArrayList<>();

	private final List<Delay> delays = new CopyOnWriteArrayList<>();

	private volatile RoundTrips roundTrips = RoundTrips.UNCOUNTED;

	Interception add(Interception interception) {
		this.interceptions.removeIf(Interception::isUndone);
		this.interceptions.add(interception);
		return interception;
	}

	ProxyFault delay(ProxyDirection direction, Duration time) {
		Delay delay = new Delay(direction, time.toNanos());
		this.delays.add(delay);
		return () -> {
			synchronized (this.delays) {
				// By identity: another of the same length stays.
				this.delays.removeIf((other) -> other == delay);
				this.delays.notifyAll();
			}
		};
	}

	RoundTrips roundTrips() {
		return this.roundTrips;
	}

	void count(RoundTrips roundTrips) {
		this.roundTrips = roundTrips;
	}

	/**
	 * Takes a frame as far as it gets, and as long as that takes. What is put into the
	 * way while it is held, it meets too.
	 * @throws InterruptedException when its connection is closed meanwhile
	 */
	FrameVerdict pass(RespFrame frame) throws InterruptedException {
		awaitDelay(frame);
		Set<Interception> met = new HashSet<>();
		FrameVerdict passage = new FrameVerdict(Verdict.OPEN, frame);
		for (Optional<Interception> next = next(met); passage.verdict() == Verdict.OPEN
				&& next.isPresent(); next = next(met)) {
			met.add(next.get());
			passage = next.get().pass(passage.frame());
		}
		return passage;
	}

	private Optional<Interception> next(Set<Interception> met) {
		return this.interceptions.stream().filter((interception) -> !met.contains(interception)).findFirst();
	}

	private void awaitDelay(RespFrame frame) throws InterruptedException {
		synchronized (this.delays) {
			for (long left = left(frame); left > 0; left = left(frame)) {
				TimeUnit.NANOSECONDS.timedWait(this.delays, left);
			}
		}
	}

	private long left(RespFrame frame) {
		return frame.arrived() - System.nanoTime()
				+ this.delays.stream()
					.filter((delay) -> delay.direction == frame.direction())
					.mapToLong(Delay::nanos)
					.sum();
	}

	private record Delay(ProxyDirection direction, long nanos) {
	}

}
