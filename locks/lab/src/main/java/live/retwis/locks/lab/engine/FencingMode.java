package live.retwis.locks.lab.engine;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How the protected store tells a late write from a rightful one.
 */
public enum FencingMode {

	/** As the engine has it: this library's note the owner, Redisson's have none. */
	ENGINE,

	/** The store accepts every write. */
	NONE,

	/**
	 * Each acquisition gets a number that is greater than the one before, and the store
	 * refuses a number below the greatest that has written.
	 */
	NUMBER;

	/** The name on the command line and in forms. */
	public String label() {
		return name().toLowerCase(Locale.ROOT);
	}

	/** The mode of that name. */
	public static Optional<FencingMode> of(String label) {
		return Stream.of(values()).filter((mode) -> mode.label().equals(label)).findFirst();
	}

	/** The same locks, with this mode in place of their own. */
	public LabLocks around(LabLocks locks, ProtectedStore store) {
		return (this == ENGINE) ? locks : new FencingOverrideLocks(locks, this, store);
	}

}
