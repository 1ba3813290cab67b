package live.retwis.web;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.limit.RateLimit.Subject;
import live.retwis.limit.RateLimiter;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Applies the limits of the site map. Over a limit, the answer is 429. Its page says when
 * one can go on, and is the same form again with what was typed. Passwords and files are
 * never sent back.
 */
@Component
class RouteLimits {

	/** The texts that people type, by the name of their field, with the label. */
	private static final Map<String, Message> TYPED = Map.of("body", Message.of("compose.body"), "bio",
			Message.of("settings.profile-bio"), "name", Message.of("settings.profile-name"), "reason",
			Message.of("report.reason"), "username", Message.of("login.username"));

	private static final Map<String, Message> PASSWORDS = Map.of("old", Message.of("settings.password-old"), "password",
			Message.of("login.password"), "password2", Message.of("register.password2"));

	private final RateLimiter limiter;

	private final Viewers viewers;

	private final PageFrames frames;

	private final PageTemplate page;

	RouteLimits(RateLimiter limiter, Viewers viewers, PageFrames frames, Templates templates) {
		this.limiter = limiter;
		this.viewers = viewers;
		this.frames = frames;
		this.page = templates.page("limited");
	}

	/** Counts the request, and hands it over unless the limit is reached. */
	Mono<ServerResponse> within(RateLimit limit, ServerRequest request, HandlerFunction<ServerResponse> handler) {
		return this.limiter.take(limit, subject(limit.subject(), request))
			.flatMap((wait) -> wait.isZero() ? handler.handle(request) : refuse(request, wait));
	}

	private Mono<String> subject(Subject subject, ServerRequest request) {
		Mono<String> address = Mono.fromSupplier(() -> ClientAddress.of(request.exchange()));
		return (subject == Subject.USER) ? this.viewers.ahead(request.exchange()).map(Viewer::id).switchIfEmpty(address)
				: address;
	}

	private Mono<ServerResponse> refuse(ServerRequest request, Duration wait) {
		return HtmlResponses.wantsJson(request) ? ProblemException.tooMany(WaitTime.text(wait), WaitTime.seconds(wait))
				: Mono.zip(form(request), frame(request), (form, frame) -> new View(frame, WaitTime.text(wait), form))
					.flatMap((view) -> HtmlResponses.page(
							ServerResponse.status(HttpStatus.TOO_MANY_REQUESTS)
								.header(HttpHeaders.RETRY_AFTER, Long.toString(WaitTime.seconds(wait))),
							this.page, view));
	}

	private Mono<PageFrame> frame(ServerRequest request) {
		return this.viewers.of(request.exchange())
			.map(Optional::of)
			.onErrorComplete()
			.defaultIfEmpty(Optional.empty())
			.flatMap((viewer) -> this.frames.withForms(request.exchange(), Message.of("limit.title"),
					viewer.orElse(null)));
	}

	private static Mono<Form> form(ServerRequest request) {
		String query = request.uri().getRawQuery();
		String action = request.uri().getRawPath() + ((query != null) ? "?" + query : "");
		return request.method().equals(HttpMethod.POST)
				? SentForm.of(request).map((sent) -> new Form(action, true, fields(sent), sent.fileNames()))
				: Mono.just(new Form(action, false, List.of(), List.of()));
	}

	private static List<Field> fields(SentForm sent) {
		return sent.names()
			.stream()
			.filter((name) -> !name.equals("_csrf"))
			.flatMap((name) -> sent.all(name).stream().map((value) -> Field.of(name, value)))
			.toList();
	}

	/**
	 * The form to send again.
	 *
	 * @param action where it is sent
	 * @param post whether it is a form; else it is a page to be asked for again
	 * @param fields what was sent
	 * @param files names of the files that have to be chosen again
	 */
	private record Form(String action, boolean post, List<Field> fields, List<String> files) {

		boolean typed() {
			return this.fields.stream().anyMatch((field) -> field.area() || field.line());
		}

	}

	/**
	 * A field of the form.
	 *
	 * @param label null for a hidden field
	 * @param value empty for a password
	 * @param area whether the value may have several lines
	 * @param password whether it is a password
	 */
	private record Field(String name, @Nullable Localized label, String value, boolean area, boolean password) {

		static Field of(String name, String value) {
			Message password = PASSWORDS.get(name);
			return (password != null) ? new Field(name, password, "", false, true)
					: new Field(name, TYPED.get(name), value, name.equals("body") || name.equals("bio"), false);
		}

		boolean line() {
			return this.label != null && !this.area && !this.password;
		}

		boolean hidden() {
			return this.label == null;
		}

	}

	private record View(PageFrame frame, Localized explanation, Form form) implements PageView {
	}

}
