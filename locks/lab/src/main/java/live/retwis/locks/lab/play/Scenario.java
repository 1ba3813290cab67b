package live.retwis.locks.lab.play;

/**
 * A schedule of faults and operations, and what to expect of it. Its steps wait for
 * states that can be observed, and never only for time.
 */
public interface Scenario {

	/** Its name, its needs, its expected ends, and the reasons for these. */
	ScenarioDescription about();

	/** Whether its expected ends hold with these settings. */
	default boolean isDescribedFor(LabSettings settings) {
		return settings.equals(LabSettings.DEFAULT);
	}

	/**
	 * Plays the scenario once. What it injects is undone afterwards.
	 * @param round the round to play
	 */
	void play(RoundContext round);

}
