package live.retwis.xray;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

import live.retwis.i18n.Message;
import live.retwis.redis.CommandRecorderContext;
import live.retwis.web.FilterOrder;
import live.retwis.web.FooterLink;
import live.retwis.web.Viewer;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Records the commands of a page that is asked for with {@code ?xray=1}, and writes them
 * into the page before the end of its content. It also does this on error pages such as
 * 404. An answer in JSON says in a header how many there were. A form that is sent from
 * such a page is recorded too, and the page to which it leads shows both. It runs after
 * the form was read and its token was checked. Every other request passes at the cost of
 * a look at its address.
 */
@ConditionalOnXray
@Order(FilterOrder.XRAY)
class XrayFilter implements WebFilter {

	/** Name of the parameter that asks for it. */
	static final String PARAMETER = "xray";

	/** Header of JSON answers. Browsers show it with the times of a request. */
	static final String TOTALS = "Server-Timing";

	private static final String ASKED = PARAMETER + "=";

	/** Most bytes of a page. A longer one is not shown with its commands. */
	private static final int LONGEST = 2 * 1024 * 1024;

	private final XrayAudience audience;

	private final KnownScripts scripts;

	private final FormRecordingRepository forms;

	private final XrayPanel panel;

	private final ObjectProvider<WebExceptionHandler> errorPages;

	XrayFilter(XrayAudience audience, KnownScripts scripts, FormRecordingRepository forms, XrayPanel panel,
			ObjectProvider<WebExceptionHandler> errorPages) {
		this.audience = audience;
		this.scripts = scripts;
		this.forms = forms;
		this.panel = panel;
		this.errorPages = errorPages;
	}

	/** It leads to the page that it stands on, for those who may follow it. */
	@Bean
	static FooterLink xrayLink(XrayProperties properties) {
		return FooterLink.here(PARAMETER, Message.of("xray.title"), properties::allows);
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		if (!isAsked(exchange.getRequest())) {
			return chain.filter(exchange);
		}
		return Mono.zip(exchange.getFormData(), before(exchange), (form, before) -> {
			List<String> secrets = RequestSecrets.of(exchange.getRequest(), form);
			RequestRecording recording = new RequestRecording(new Redaction(this.scripts, secrets));
			ServerWebExchange recorded = exchange.mutate()
				.response(new RecordedResponse(exchange, recording, before))
				.build();
			return CommandRecorderContext.record(
					chain.filter(recorded).onErrorResume(XrayFilter::isRefused, (error) -> errorPage(recorded, error)),
					recording);
		}).flatMap(Function.identity());
	}

	/** Who sends a form. It may end the session. */
	private Mono<Optional<Viewer>> before(ServerWebExchange exchange) {
		return exchange.getRequest().getMethod().equals(HttpMethod.POST) ? this.audience.viewer(exchange)
				: Mono.just(Optional.empty());
	}

	/**
	 * Whether the request was refused, or what it asks for is not there. Errors of the
	 * program, and of a data node that is away, have no panel: the filters around this
	 * one log them.
	 */
	private static boolean isRefused(Throwable error) {
		return error instanceof ResponseStatusException known && known.getStatusCode().is4xxClientError();
	}

	/**
	 * Error pages are made behind all filters. One that shows its commands is made here,
	 * by the same handler, into the recorded response.
	 */
	private Mono<Void> errorPage(ServerWebExchange recorded, Throwable error) {
		return this.errorPages.orderedStream()
			.findFirst()
			.map((pages) -> pages.handle(recorded, error))
			.orElseGet(() -> Mono.error(error));
	}

	private static boolean isAsked(ServerHttpRequest request) {
		if (request.getMethod().equals(HttpMethod.POST)) {
			String referer = request.getHeaders().getFirst(HttpHeaders.REFERER);
			return referer != null && XrayAddress.isAsked(referer);
		}
		String query = request.getURI().getRawQuery();
		return query != null && query.contains(ASKED) && request.getMethod().equals(HttpMethod.GET)
				&& request.getQueryParams().containsKey(PARAMETER);
	}

	/** Collects a page, and adds the panel before the page is sent. */
	private final class RecordedResponse extends ServerHttpResponseDecorator {

		private final ServerWebExchange exchange;

		private final RequestRecording recording;

		/** Who was logged in before a form. */
		private final Optional<Viewer> before;

		RecordedResponse(ServerWebExchange exchange, RequestRecording recording, Optional<Viewer> before) {
			super(exchange.getResponse());
			this.exchange = exchange;
			this.recording = recording;
			this.before = before;
		}

		private boolean isFor(Optional<Viewer> viewer) {
			return XrayFilter.this.audience.allows(this.exchange, viewer.or(() -> this.before));
		}

		@Override
		public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
			if (isJson()) {
				return withTotals().then(super.writeWith(body));
			}
			if (!MediaType.TEXT_HTML.isCompatibleWith(getHeaders().getContentType())
					|| getHeaders().getContentLength() > LONGEST
					|| getHeaders().containsHeader(HttpHeaders.CONTENT_DISPOSITION)) {
				return super.writeWith(body);
			}
			Mono<byte[]> page = DataBufferUtils.join(body, LONGEST).map(XrayFilter::bytes);
			return super.writeWith(page.flatMap(this::withPanel).map((html) -> {
				getHeaders().setContentLength(html.length);
				return bufferFactory().wrap(html);
			}));
		}

		private boolean isJson() {
			MediaType type = getHeaders().getContentType();
			return type != null && (MediaType.APPLICATION_JSON.isCompatibleWith(type)
					|| MediaType.APPLICATION_PROBLEM_JSON.isCompatibleWith(type));
		}

		/** An answer for a program only says how many commands there were. */
		private Mono<Void> withTotals() {
			this.recording.end();
			return XrayFilter.this.audience.viewer(this.exchange)
				.filter(this::isFor)
				.doOnNext((viewer) -> getHeaders().set(TOTALS, this.recording.totals()))
				.then();
		}

		/**
		 * A panel looks into keys, so it is limited. Over the limit the page is as usual.
		 */
		private Mono<byte[]> withPanel(byte[] page) {
			this.recording.end();
			return XrayFilter.this.audience.viewer(this.exchange)
				.flatMap((viewer) -> !isFor(viewer) ? Mono.just(page)
						: XrayFilter.this.audience.wait(this.exchange, viewer)
							.flatMap((wait) -> wait.isZero() ? withPanel(page, viewer) : Mono.just(page)));
		}

		private Mono<byte[]> withPanel(byte[] page, Optional<Viewer> viewer) {
			return Mono.defer(() -> {
				getHeaders().setETag(null);
				getHeaders().setCacheControl(CacheControl.noStore());
				String asked = parameter(this.exchange);
				boolean named = FormRecordingRepository.isName(asked);
				Mono<Optional<RecordedRequest>> form = named
						? XrayFilter.this.forms.find(asked, viewer).singleOptional() : Mono.just(Optional.empty());
				return CommandRecorderContext
					.unrecorded(form.flatMap((found) -> XrayFilter.this.panel.render(this.exchange,
							this.recording.recorded(), found, named && found.isEmpty(), viewer)))
					.map((panel) -> XrayPanelInserter.with(page, panel));
			});
		}

		/** A form that succeeded leads to a page, which then shows what the form did. */
		@Override
		public Mono<Void> setComplete() {
			String location = getHeaders().getFirst(HttpHeaders.LOCATION);
			if (location == null || !location.startsWith("/")) {
				return super.setComplete();
			}
			this.recording.end();
			return XrayFilter.this.audience.viewer(this.exchange)
				.filter(this::isFor)
				.flatMap(this::name)
				.doOnNext((name) -> getHeaders().set(HttpHeaders.LOCATION, XrayAddress.leadingTo(location, name)))
				.then(Mono.defer(super::setComplete));
		}

		/** What the next page is asked with: the name of what a form did, or 1. */
		private Mono<String> name(Optional<Viewer> viewer) {
			return this.exchange.getRequest().getMethod().equals(HttpMethod.POST)
					? CommandRecorderContext.unrecorded(XrayFilter.this.forms.keep(this.recording.recorded(), viewer))
					: Mono.just("1");
		}

	}

	private static String parameter(ServerWebExchange exchange) {
		return Objects.toString(exchange.getRequest().getQueryParams().getFirst(PARAMETER), "");
	}

	private static byte[] bytes(DataBuffer buffer) {
		byte[] bytes = new byte[buffer.readableByteCount()];
		buffer.read(bytes);
		DataBufferUtils.release(buffer);
		return bytes;
	}

}
