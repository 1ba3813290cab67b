package live.retwis.startup;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * A problem that keeps the program from starting, and that the user can solve. It is
 * shown as text, without a stack trace.
 */
public class StartupException extends RuntimeException {

	private final String action;

	/**
	 * Creates a problem.
	 * @param description what is wrong
	 * @param action what to do about it
	 */
	public StartupException(String description, String action) {
		this(description, action, null);
	}

	StartupException(String description, String action, @Nullable Throwable cause) {
		super(description, cause);
		this.action = action;
	}

	/** Turns the problem into the text that Spring Boot prints. */
	static class Analyzer extends AbstractFailureAnalyzer<StartupException> {

		@Override
		protected FailureAnalysis analyze(Throwable rootFailure, StartupException cause) {
			return new FailureAnalysis(cause.getMessage(), cause.action, cause);
		}

	}

}
