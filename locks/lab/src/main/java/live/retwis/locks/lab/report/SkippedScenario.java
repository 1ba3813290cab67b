package live.retwis.locks.lab.report;

/**
 * A scenario that was not played with an engine.
 *
 * @param number of the scenario
 * @param name of the scenario
 * @param title of the scenario, in English
 * @param engine label of the engine
 * @param reason why not
 */
public record SkippedScenario(String number, String name, String title, String engine, Reason reason) {

	/** Why a scenario is not played. */
	public enum Reason {

		/** The scenario says nothing about the engine. */
		NO_EXPECTATION,

		/** The run has another number of nodes than the scenario needs. */
		FIVE_NODES,

		/** This machine cannot set the clock of a node. */
		CLOCKS

	}

	/** The line of the command line and of files, in English. */
	public String line() {
		return this.number + " " + this.name + ", " + this.engine + ": skipped, " + VerdictSentences.ENGLISH.why(this);
	}

}
