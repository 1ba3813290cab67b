package live.retwis.learn;

import java.util.Locale;

import live.retwis.i18n.Localized;

/**
 * What happened in one step of an experiment.
 *
 * @param lane who did it: a client, or nobody but the person who plays
 * @param command the command as one would type it
 * @param answer what Redis answered; empty for what is done to a server
 * @param micros how long the answer took, in microseconds
 * @param note what to notice
 */
record TranscriptStep(Lane lane, Localized command, Localized answer, long micros, Localized note) {

	/** Whether a client did it, and Redis answered. */
	boolean isOfClient() {
		return this.lane != Lane.WORLD;
	}

	/** Who does a step. */
	enum Lane {

		/** The client on the left. */
		A,

		/** The client on the right. */
		B,

		/** The person who plays, such as when a server is killed. */
		WORLD;

		/** The name in styles and scripts. */
		String word() {
			return toString().toLowerCase(Locale.ROOT);
		}

	}

}
