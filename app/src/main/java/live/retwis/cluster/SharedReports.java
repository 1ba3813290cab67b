package live.retwis.cluster;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Keeps the latest reports that people have shared, in memory: they are gone when the
 * program ends.
 */
final class SharedReports {

	/** Most reports. The oldest one goes first. */
	private static final int MOST = 100;

	/** Most characters of a report. */
	static final int LONGEST = 64_000;

	private static final int ID_LENGTH = 10;

	private final Map<String, String> byId = new LinkedHashMap<>();

	/**
	 * Keeps a report.
	 * @return its id, which cannot be guessed
	 */
	synchronized String keep(String json) {
		String id = ThreadLocalRandom.current()
			.ints(ID_LENGTH, 0, Character.MAX_RADIX)
			.mapToObj((digit) -> Integer.toString(digit, Character.MAX_RADIX))
			.reduce("", String::concat);
		this.byId.put(id, json);
		if (this.byId.size() > MOST) {
			this.byId.remove(this.byId.keySet().iterator().next());
		}
		return id;
	}

	/** The report with this id. */
	synchronized Optional<String> find(String id) {
		return Optional.ofNullable(this.byId.get(id));
	}

}
