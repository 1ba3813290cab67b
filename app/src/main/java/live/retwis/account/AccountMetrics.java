package live.retwis.account;

import io.micrometer.core.instrument.MeterRegistry;
import live.retwis.web.OutcomeCounter;

import org.springframework.stereotype.Component;

/**
 * The metrics {@code retwis.registrations} and {@code retwis.logins}, by result. Forms
 * with errors in their fields are not counted.
 */
@Component
class AccountMetrics {

	private final OutcomeCounter<Registered> registrations;

	private final OutcomeCounter<LoggedIn> logins;

	AccountMetrics(MeterRegistry meters) {
		this.registrations = new OutcomeCounter<>(meters, "retwis.registrations", Registered.class);
		this.logins = new OutcomeCounter<>(meters, "retwis.logins", LoggedIn.class);
	}

	void count(Registered result) {
		this.registrations.count(result);
	}

	void count(LoggedIn result) {
		this.logins.count(result);
	}

	/** Results of a registration. */
	enum Registered {

		/** The account was created. */
		DONE,
		/** The name is taken. */
		TAKEN,
		/**
		 * Refused: no quorum of lock nodes, or somebody else is registering the name.
		 */
		PAUSED

	}

	/** Results of a log-in. */
	enum LoggedIn {

		/** A session was opened. */
		DONE,
		/** The name is unknown or the password is wrong. */
		WRONG,
		/** Refused, because there were too many wrong passwords before. */
		LIMITED

	}

}
