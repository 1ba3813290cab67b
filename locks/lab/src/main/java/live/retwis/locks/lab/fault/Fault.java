package live.retwis.locks.lab.fault;

import java.util.Map;

/**
 * Something that goes wrong, until it is undone. Both tell what proves it, as seen from
 * outside of what it struck.
 */
public interface Fault {

	/** What it is, for people. */
	String name();

	/** What it strikes, such as {@code node 3}. */
	String subject();

	/** Makes it happen. */
	Map<String, String> inject();

	/** Undoes it; what cannot be undone stays as it is. */
	Map<String, String> undo();

}
