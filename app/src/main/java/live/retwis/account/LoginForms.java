package live.retwis.account;

import live.retwis.i18n.Message;
import live.retwis.web.SentForm;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;

/**
 * Takes the log-in form: on a page of its own, or within the form of somebody whose
 * session ended while they filled it in, so that what they wrote is sent along.
 */
@Component
public class LoginForms {

	private static final Message WRONG = Message.of("login.wrong");

	private final Login login;

	LoginForms(Login login) {
		this.login = login;
	}

	/** Asks somebody who did not know that they are signed out. */
	public static Refusal ask(String next) {
		return new Refusal(LoginForm.fresh(next), HttpStatus.UNAUTHORIZED, null);
	}

	/**
	 * Signs in for the rest of this request, and with its answer's cookie from then on.
	 * @return why not; empty when signed in
	 */
	public Mono<Refusal> take(ServerWebExchange exchange, SentForm sent) {
		LoginForm form = LoginForm.of(sent);
		if (!form.isRight()) {
			return Mono.just(new Refusal(form, HttpStatus.UNPROCESSABLE_CONTENT, null));
		}
		return this.login.login(exchange, form.username().value(), sent.get("password"))
			.doOnNext((cookie) -> cookie.enter(exchange))
			.hasElement()
			.filter((right) -> !right)
			.map((wrong) -> new Refusal(form.wrong(WRONG), HttpStatus.UNAUTHORIZED, null))
			.onErrorResume(Login.TooManyTries.class,
					(tries) -> Mono.just(new Refusal(form.wrong(Message.of("login.too-many", tries.seconds())),
							HttpStatus.TOO_MANY_REQUESTS, tries.seconds())));
	}

	/**
	 * Nobody was signed in.
	 *
	 * @param form to show again
	 * @param status of the answer
	 * @param retryAfter seconds until the next try counts; null when that is at once
	 */
	public record Refusal(LoginForm form, HttpStatus status, @Nullable Long retryAfter) {

		/** An answer with that status. */
		public ServerResponse.BodyBuilder response() {
			ServerResponse.BodyBuilder response = ServerResponse.status(this.status);
			return (this.retryAfter != null) ? response.header(HttpHeaders.RETRY_AFTER, this.retryAfter.toString())
					: response;
		}

	}

}
