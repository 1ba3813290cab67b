package live.retwis.faults;

import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Sends each request to any of the instances, without a look at how they are.
 */
final class LoadBalancer {

	private final List<String> origins;

	LoadBalancer(List<String> origins) {
		this.origins = new CopyOnWriteArrayList<>(origins);
	}

	/** Scheme, host and port of each. */
	List<String> origins() {
		return List.copyOf(this.origins);
	}

	/** Scheme, host and port of one of them. */
	String any(Random random) {
		List<String> now = List.copyOf(this.origins);
		return now.get(random.nextInt(now.size()));
	}

	/** One takes the place of another. */
	void replace(String old, String origin) {
		this.origins.replaceAll((one) -> one.equals(old) ? origin : one);
	}

}
