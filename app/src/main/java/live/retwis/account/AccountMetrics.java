package live.retwis.account;

import io.micrometer.core.instrument.MeterRegistry;
import live.retwis.web.OutcomeCounter;

import org.springframework.stereotype.Component;

/**
 * {@code retwis.registrations} and {@code retwis.logins} by result. Forms that are wrong
 * in themselves are not counted.
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

	/** What came of a registration. */
	enum Registered {

		/** There is a new account. */
		DONE,
		/** The name is someone's. */
		TAKEN,
		/** Refused: no quorum of lock nodes, or somebody else is registering the name. */
		PAUSED

	}

	/** What came of a log-in. */
	enum LoggedIn {

		/** There is a new session. */
		DONE,
		/** Name and password do not belong together. */
		WRONG,
		/** Refused: too many were wrong before. */
		LIMITED

	}

}
