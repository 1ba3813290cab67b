package live.retwis.web;

import java.net.URI;

import live.retwis.i18n.Message;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.util.UriUtils;

/**
 * Answers a signed-out visitor who asked for something that only signed-in users can
 * have. It redirects to the log-in page, which leads back afterwards. Clients that ask
 * for JSON get a 401.
 */
public final class SignInRedirect {

	private SignInRedirect() {
	}

	/** After signing in, the visitor comes back to the address of this request. */
	public static Mono<ServerResponse> first(ServerRequest request) {
		return redirect(request, PageFrames.loginUrl(request.exchange()));
	}

	/**
	 * After signing in, the visitor comes back to the page that had the form. An address
	 * that the log-in page would not accept is left out, which also bounds the answer. A
	 * text that was typed is not lost when the session has ended meanwhile: then the
	 * answer has the form, to be sent again. So has that to a form that was refused
	 * before.
	 */
	public static Mono<ServerResponse> first(ServerRequest request, String page) {
		return SubmittedForm.of(request)
			.filter((sent) -> !HtmlResponses.wantsJson(request) && (sent.names().contains(ResubmittableForm.AGAIN)
					|| HostPrefixCookie.SESSION.read(request.exchange()).isPresent()))
			.map((sent) -> ResubmittableForm.of(request.requestPath().value(), sent))
			.filter(ResubmittableForm::typed)
			.flatMap((form) -> {
				ErrorResponder.showAgain(request.exchange(), form);
				return ProblemException.<ServerResponse>of(HttpStatus.UNAUTHORIZED, Message.of("login.again"));
			})
			.switchIfEmpty(Mono.defer(() -> to(request, page)));
	}

	/**
	 * After signing in, the visitor comes to this page. An address that the log-in page
	 * would not accept is left out.
	 */
	public static Mono<ServerResponse> to(ServerRequest request, String page) {
		return redirect(request,
				ReturnAddress.isInside(page) ? "/login?next=" + UriUtils.encode(page, "UTF-8") : "/login");
	}

	private static Mono<ServerResponse> redirect(ServerRequest request, String loginUrl) {
		return HtmlResponses.wantsJson(request)
				? ProblemException.of(HttpStatus.UNAUTHORIZED, Message.of("login.required"))
				: ServerResponse.seeOther(URI.create(loginUrl)).build();
	}

}
