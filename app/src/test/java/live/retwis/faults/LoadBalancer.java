package live.retwis.faults;

import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Sends each request to a random instance, without checking its health.
 */
final class LoadBalancer {

	private final List<String> origins;

	LoadBalancer(List<String> origins) {
		this.origins = new CopyOnWriteArrayList<>(origins);
	}

	/** Scheme, host and port of each instance. */
	List<String> origins() {
		return List.copyOf(this.origins);
	}

	/** Scheme, host and port of a random instance. */
	String any(Random random) {
		List<String> now = List.copyOf(this.origins);
		return now.get(random.nextInt(now.size()));
	}

	/** Replaces one instance by another. */
	void replace(String old, String origin) {
		this.origins.replaceAll((one) -> one.equals(old) ? origin : one);
	}

}
