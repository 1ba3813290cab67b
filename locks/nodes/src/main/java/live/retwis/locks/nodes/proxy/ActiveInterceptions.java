package live.retwis.locks.nodes.proxy;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

import live.retwis.locks.nodes.proxy.Interception.Effect;
import org.jspecify.annotations.Nullable;

/**
 * All that frames meet on their way through a proxy.
 */
final class ActiveInterceptions {

	private final List<Interception> interceptions = new CopyOnWriteArrayList<>();

	private final Runnable whenRemoved;

	private volatile TrafficListener traffic = TrafficListener.NONE;

	private volatile RoundTripCountingDelay countingDelay = RoundTripCountingDelay.UNCOUNTED;

	ActiveInterceptions(Runnable whenRemoved) {
		this.whenRemoved = whenRemoved;
	}

	Interception add(Predicate<ProxyFrame> where, Effect effect) {
		return add(new Interception(this, where, effect));
	}

	Interception add(Interception interception) {
		this.interceptions.add(interception);
		return interception;
	}

	void remove(Interception interception) {
		this.interceptions.remove(interception);
		this.whenRemoved.run();
	}

	TrafficListener traffic() {
		return this.traffic;
	}

	void tell(TrafficListener listener) {
		this.traffic = listener;
	}

	RoundTripCountingDelay countingDelay() {
		return this.countingDelay;
	}

	void count(RoundTripCountingDelay delay) {
		this.countingDelay = delay;
	}

	/**
	 * Looks how far a frame gets. What is put into the way while it is held, it meets
	 * too.
	 * @return what stops it; null when it goes on
	 */
	@Nullable Interception stops(ProxyFrame frame) {
		for (Interception interception : this.interceptions) {
			if (interception.stops(frame)) {
				return interception;
			}
		}
		return null;
	}

}
