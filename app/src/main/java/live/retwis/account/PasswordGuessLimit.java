package live.retwis.account;

import java.time.Duration;
import java.util.function.Function;

import live.retwis.limit.RateLimit;
import live.retwis.limit.RateLimiter;
import live.retwis.web.RateLimitAddress;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;

/**
 * Slows down guessing of passwords. Wrong passwords are counted by username, wherever
 * they come from, and before that by username and address. With several rates the wait
 * grows: first seconds, then minutes.
 * <p>
 * A stranger cannot lock out a user in this way, because one address may guess less than
 * all together. Many addresses can, but only in new browsers: a browser in which the user
 * was logged in before has a count of its own, and all sessions of the user have one
 * together. Their passwords are also checked first. A name that does not exist is counted
 * like any other. What cannot be a name, such as an e-mail address, protects nobody and
 * is not counted.
 */
@Component
class PasswordGuessLimit {

	private final RateLimiter limiter;

	private final KnownDevices devices;

	PasswordGuessLimit(RateLimiter limiter, KnownDevices devices) {
		this.limiter = limiter;
		this.devices = devices;
	}

	/**
	 * Checks the password of a log-in.
	 * @param userId whom the name belongs to; empty for nobody
	 * @param check empty when the password is wrong
	 * @return the same; {@link TooManyGuessesException} when it may not be checked now
	 */
	<T> Mono<T> logIn(ServerWebExchange exchange, String username, Mono<String> userId, Mono<T> check) {
		if (!UsernameRules.isValid(username)) {
			return check;
		}
		String name = UsernameRules.fold(username);
		return userId.flatMap((id) -> this.devices.known(exchange, id))
			.map((device) -> within(RateLimit.WRONG_PASSWORDS, name + ":" + device,
					check.contextWrite(PasswordHasher.KNOWN_BROWSER)))
			.defaultIfEmpty(within(RateLimit.WRONG_PASSWORDS_BY_ADDRESS, name + " " + RateLimitAddress.of(exchange),
					within(RateLimit.WRONG_PASSWORDS, name, check)))
			.flatMap(Function.identity());
	}

	/**
	 * Checks the password of a user who is logged in. A stolen session can be renewed as
	 * often as one likes, so it has no count of its own. No username and no browser is
	 * counted under this subject.
	 */
	<T> Mono<T> confirm(Session session, Mono<T> check) {
		return within(RateLimit.WRONG_PASSWORDS, session.viewer().id() + ":confirm",
				check.contextWrite(PasswordHasher.KNOWN_BROWSER));
	}

	/** Counts first. What was no wrong password is given back. */
	private <T> Mono<T> within(RateLimit limit, String subject, Mono<T> check) {
		return this.limiter.attempt(limit, subject).flatMap((attempt) -> {
			if (!attempt.waitTime().isZero()) {
				return Mono.error(new TooManyGuessesException(attempt.waitTime()));
			}
			Mono<Void> giveBack = attempt.giveBack();
			return check.delayUntil((right) -> giveBack).onErrorResume((error) -> giveBack.then(Mono.error(error)));
		});
	}

	/** Too many wrong passwords. This one was not checked. */
	static class TooManyGuessesException extends RuntimeException {

		private final Duration wait;

		TooManyGuessesException(Duration wait) {
			super("too many wrong passwords", null, false, false);
			this.wait = wait;
		}

		/** The time until the next try is accepted. */
		Duration waitTime() {
			return this.wait;
		}

	}

}
