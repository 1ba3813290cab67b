package live.retwis.locks.lab.report;

/**
 * Words that describe rounds, and text that is safe in markup.
 */
public final class RoundResultFormatter {

	private RoundResultFormatter() {
	}

	static String escape(String text) {
		return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
	}

	/** How a round ended, in one line. */
	public static String result(JudgedRound round) {
		return switch (round.ending()) {
			case AS_DESCRIBED -> "as described: " + round.verdict();
			case OTHERWISE -> "OTHERWISE: " + round.verdict() + "; described: " + round.expected();
			case NOT_REPRODUCED ->
				"not reproduced: it did not come about that " + String.join("; ", round.record().missed());
			case BROKEN -> "broken: " + round.record().error();
		};
	}

}
