package live.retwis.web;

import java.net.URI;

import live.retwis.i18n.Message;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.util.UriUtils;

/**
 * The answer to a signed-out visitor of a page or form that needs one to be signed in:
 * off to the log-in page, and back afterwards. Clients that ask for JSON get a 401.
 */
public final class SignInRedirect {

	private SignInRedirect() {
	}

	/** Comes back to the page that was asked for. */
	public static Mono<ServerResponse> first(ServerRequest request) {
		return redirect(request, PageFrames.loginUrl(request.exchange()));
	}

	/** Comes back to the page that the form stood on. */
	public static Mono<ServerResponse> first(ServerRequest request, String page) {
		return redirect(request, "/login?next=" + UriUtils.encode(page, "UTF-8"));
	}

	private static Mono<ServerResponse> redirect(ServerRequest request, String loginUrl) {
		return HtmlResponses.wantsJson(request)
				? ProblemException.of(HttpStatus.UNAUTHORIZED, Message.of("login.required"))
				: ServerResponse.seeOther(URI.create(loginUrl)).build();
	}

}
