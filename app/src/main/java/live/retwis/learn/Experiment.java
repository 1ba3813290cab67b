package live.retwis.learn;

import java.io.IOException;

/**
 * What two clients do, step by step, on servers of their own.
 */
@FunctionalInterface
interface Experiment {

	/**
	 * Plays the steps. Each is recorded with what Redis answered.
	 * @throws IOException when a server does not answer in time, or has gone
	 */
	void play(ExperimentContext context) throws IOException;

}
