package live.retwis.locks.lab.fault;

import java.util.Map;

/**
 * Something that goes wrong until it is undone. To inject it and to undo it each returns
 * a proof, as seen from outside of what was struck.
 */
public interface Fault {

	/** The name of the fault, for people. */
	String name();

	/** What the fault strikes, such as {@code node 3}. */
	String subject();

	/** Makes it happen. */
	Map<String, String> inject();

	/** Undoes it. What cannot be undone stays as it is, and there is no proof. */
	default Map<String, String> undo() {
		return Map.of();
	}

}
