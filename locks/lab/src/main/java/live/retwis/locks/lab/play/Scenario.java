package live.retwis.locks.lab.play;

/**
 * A schedule of faults and operations, and what to expect of it. Its steps wait for
 * states that can be observed, never for time alone.
 */
public interface Scenario {

	/** What it is called, what it needs, what it ends with and why. */
	ScenarioDescription about();

	/**
	 * Plays it once. What it injects is undone afterwards.
	 * @param round what it is played on
	 */
	void play(Round round);

}
