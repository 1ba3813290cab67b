package live.retwis.locks.lab.engine;

import java.util.Locale;

/**
 * What the store compares before it writes.
 *
 * @param kind how it compares
 * @param token the number, where numbers are compared
 */
public record WriteCondition(Kind kind, long token) {

	/** The store compares nothing. */
	public static final WriteCondition NONE = new WriteCondition(Kind.NONE, 0);

	/** The writer must be the owner that the store has noted last. */
	public static final WriteCondition OWNER = new WriteCondition(Kind.OWNER, 0);

	/** The condition in a word, with the number if there is one. */
	@Override
	public String toString() {
		return (this.kind == Kind.TOKEN) ? "number " + this.token : this.kind.name().toLowerCase(Locale.ROOT);
	}

	/** How the store compares. */
	public enum Kind {

		/** It does not compare. */
		NONE,

		/** The register must name the writer. */
		OWNER,

		/** No greater number may have written before. */
		TOKEN

	}

}
