package live.retwis.startup;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * The program cannot start, and whoever started it can mend that. Shown as a text, not as
 * a stack trace.
 */
public class StartupProblem extends RuntimeException {

	private final String action;

	/**
	 * Tells what is wrong.
	 * @param action what to do about it
	 */
	public StartupProblem(String description, String action) {
		this(description, action, null);
	}

	StartupProblem(String description, String action, @Nullable Throwable cause) {
		super(description, cause);
		this.action = action;
	}

	/** Makes the text. */
	static class Analyzer extends AbstractFailureAnalyzer<StartupProblem> {

		@Override
		protected FailureAnalysis analyze(Throwable rootFailure, StartupProblem cause) {
			return new FailureAnalysis(cause.getMessage(), cause.action, cause);
		}

	}

}
