package live.retwis.xray;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

import live.retwis.redis.CommandRecording;
import live.retwis.web.Viewer;
import live.retwis.web.Viewers;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Records the commands of a page that is asked for with {@code ?xray=1}, and writes them
 * into the page before the end of its content. A form that is sent from such a page is
 * recorded too, and the page to which it leads shows both. It runs after the form was
 * read and its token was checked. Every other request passes at the cost of a look at its
 * address.
 */
@ConditionalOnXray
@Order(Ordered.HIGHEST_PRECEDENCE + 4)
class XrayFilter implements WebFilter {

	/** Name of the parameter that asks for it. */
	static final String PARAMETER = "xray";

	private static final String ASKED = PARAMETER + "=";

	private static final Pattern IN_REFERER = Pattern.compile("https?://[^/?#]+[^?#]*\\?(?:[^#]*&)?xray=[\\w-]+.*");

	/** Most bytes of a page. A longer one is not shown with its commands. */
	private static final int LONGEST = 2 * 1024 * 1024;

	/** A shorter text is no secret, and would blank half of the commands. */
	private static final int SHORTEST_SECRET = 8;

	private final XrayProperties properties;

	private final Viewers viewers;

	private final KnownScripts scripts;

	private final FormRecordings forms;

	private final XrayPanel panel;

	XrayFilter(XrayProperties properties, Viewers viewers, KnownScripts scripts, FormRecordings forms,
			XrayPanel panel) {
		this.properties = properties;
		this.viewers = viewers;
		this.scripts = scripts;
		this.forms = forms;
		this.panel = panel;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		if (!isAsked(exchange.getRequest())) {
			return chain.filter(exchange);
		}
		return exchange.getFormData().map((fields) -> secrets(exchange.getRequest(), fields)).flatMap((secrets) -> {
			Recording recording = new Recording(new Redaction(this.scripts, secrets));
			ServerHttpResponse response = new RecordedResponse(exchange, recording);
			return CommandRecording.record(chain.filter(exchange.mutate().response(response).build()), recording);
		});
	}

	private static boolean isAsked(ServerHttpRequest request) {
		if (request.getMethod().equals(HttpMethod.POST)) {
			String referer = request.getHeaders().getFirst(HttpHeaders.REFERER);
			return referer != null && referer.contains(ASKED) && IN_REFERER.matcher(referer).matches();
		}
		String query = request.getURI().getRawQuery();
		return query != null && query.contains(ASKED) && request.getMethod().equals(HttpMethod.GET)
				&& request.getQueryParams().containsKey(PARAMETER);
	}

	/**
	 * Who sees the page. It is asked after the page's own commands, and is not recorded.
	 * After a log-in it is the user who has logged in.
	 */
	private Mono<Optional<Viewer>> viewer(ServerWebExchange exchange) {
		return CommandRecording.unrecorded(this.viewers.of(exchange)
			.map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			.onErrorReturn(Optional.empty()));
	}

	/**
	 * What this request sends that nobody else may know: the cookies and their parts, the
	 * token of its form, and passwords.
	 */
	private static List<String> secrets(ServerHttpRequest request, MultiValueMap<String, String> fields) {
		List<String> secrets = new ArrayList<>();
		request.getCookies()
			.values()
			.forEach((cookies) -> cookies.forEach((cookie) -> secrets.addAll(List.of(cookie.getValue().split("\\.")))));
		fields.forEach((name, values) -> {
			if (isSecret(name)) {
				secrets.addAll(values);
			}
		});
		viewerId(request).ifPresent(secrets::remove);
		secrets.removeIf((secret) -> secret.length() < SHORTEST_SECRET);
		return secrets;
	}

	/** The first part of the session's cookie is the user's id, which is no secret. */
	private static Optional<String> viewerId(ServerHttpRequest request) {
		return request.getCookies()
			.values()
			.stream()
			.flatMap(List::stream)
			.map((cookie) -> cookie.getValue().split("\\.")[0])
			.filter((part) -> part.length() == 13)
			.findFirst();
	}

	private static boolean isSecret(String field) {
		String name = field.toLowerCase(Locale.ROOT);
		return name.startsWith("password") || name.equals("old") || name.equals("_csrf");
	}

	/** Collects a page, and adds the panel before the page is sent. */
	private final class RecordedResponse extends ServerHttpResponseDecorator {

		private final ServerWebExchange exchange;

		private final Recording recording;

		RecordedResponse(ServerWebExchange exchange, Recording recording) {
			super(exchange.getResponse());
			this.exchange = exchange;
			this.recording = recording;
		}

		@Override
		public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
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

		private Mono<byte[]> withPanel(byte[] page) {
			this.recording.end();
			return viewer(this.exchange).flatMap((viewer) -> {
				if (!XrayFilter.this.properties.allows(viewer)) {
					return Mono.just(page);
				}
				getHeaders().setETag(null);
				getHeaders().setCacheControl(CacheControl.noStore());
				Recording form = XrayFilter.this.forms.find(parameter(this.exchange), viewer).orElse(null);
				return CommandRecording
					.unrecorded(XrayFilter.this.panel.render(this.exchange, this.recording, form, viewer))
					.map((panel) -> PageEnd.with(page, panel));
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
			return viewer(this.exchange).doOnNext((viewer) -> {
				if (XrayFilter.this.properties.allows(viewer)) {
					String name = this.exchange.getRequest().getMethod().equals(HttpMethod.POST)
							? XrayFilter.this.forms.keep(this.recording, viewer) : "1";
					getHeaders().set(HttpHeaders.LOCATION, XrayAddress.leadingTo(location, name));
				}
			}).then(Mono.defer(super::setComplete));
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
