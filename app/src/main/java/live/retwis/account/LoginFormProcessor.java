package live.retwis.account;

import java.time.Duration;

import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.limit.RateLimiter;
import live.retwis.web.RateLimitAddress;
import live.retwis.web.RetryAfter;
import live.retwis.web.SubmittedForm;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;

/**
 * Handles the log-in form. It has a page of its own, or it is part of another form whose
 * user's session ended while they filled it in. Then the content of that form is sent
 * along.
 */
@Component
public class LoginFormProcessor {

	private static final Message WRONG = Message.of("login.wrong");

	private final Login login;

	private final RateLimiter limiter;

	LoginFormProcessor(Login login, RateLimiter limiter) {
		this.login = login;
		this.limiter = limiter;
	}

	/** Asks a user to log in who did not know that their session was over. */
	public static LoginRefusal ask(String next) {
		return new LoginRefusal(LoginForm.fresh(next), HttpStatus.UNAUTHORIZED, null);
	}

	/**
	 * Logs a user in. The session applies to the rest of this request, and the response
	 * sets its cookie.
	 * @return the refusal; empty when the user is logged in
	 */
	public Mono<LoginRefusal> take(ServerWebExchange exchange, SubmittedForm sent) {
		LoginForm form = LoginForm.of(sent);
		if (!form.isRight()) {
			return Mono.just(new LoginRefusal(form, HttpStatus.UNPROCESSABLE_CONTENT, null));
		}
		return this.login.login(exchange, form.username().value(), sent.get("password"))
			.doOnNext((cookie) -> cookie.enter(exchange))
			.hasElement()
			.filter((right) -> !right)
			.map((wrong) -> new LoginRefusal(form.wrong(WRONG), HttpStatus.UNAUTHORIZED, null))
			.onErrorResume(Login.SuspendedException.class,
					(suspended) -> Mono
						.just(new LoginRefusal(form.wrong(Message.of("login.suspended")), HttpStatus.FORBIDDEN, null)))
			.onErrorResume(PasswordGuessLimit.TooManyGuessesException.class,
					(tooMany) -> Mono.just(tooMany(form, tooMany.waitTime())));
	}

	/**
	 * The same as {@link #take}, and counts the log-in. It is for a form whose route
	 * counts something else.
	 */
	public Mono<LoginRefusal> takeCounted(ServerWebExchange exchange, SubmittedForm sent) {
		return this.limiter.take(RateLimit.LOGINS, RateLimitAddress.of(exchange))
			.flatMap((wait) -> wait.isZero() ? take(exchange, sent) : Mono.just(tooMany(LoginForm.of(sent), wait)));
	}

	private static LoginRefusal tooMany(LoginForm form, Duration wait) {
		return new LoginRefusal(form.wrong(RetryAfter.text(wait)), HttpStatus.TOO_MANY_REQUESTS,
				RetryAfter.seconds(wait));
	}

	/**
	 * A log-in that was refused.
	 *
	 * @param form the form to show again
	 * @param status status of the response
	 * @param retryAfter seconds until the next try is accepted; null when there is no
	 * need to wait
	 */
	public record LoginRefusal(LoginForm form, HttpStatus status, @Nullable Long retryAfter) {

		/** A response with the status of the refusal. */
		public ServerResponse.BodyBuilder response() {
			ServerResponse.BodyBuilder response = ServerResponse.status(this.status);
			return (this.retryAfter != null) ? response.header(HttpHeaders.RETRY_AFTER, this.retryAfter.toString())
					: response;
		}

	}

}
