package live.retwis.web;

import java.util.Locale;
import java.util.Map;

import live.retwis.i18n.Message;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;
import org.springframework.core.codec.DecodingException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.codec.multipart.PartEvent;
import org.springframework.http.codec.multipart.PartEventHttpMessageReader;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Component;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.ServerWebInputException;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Lets forms with files be read like any other form, by the CSRF filter, too. Spring's
 * own reader would write large parts to temporary files.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
class MultipartForms implements WebFilter {

	/** Name of the attribute that has the files of a form that was read. */
	static final String FILES = MultipartForms.class.getName() + ".files";

	/**
	 * Larger forms are refused unread, and so are those that do not say how large they
	 * are.
	 */
	private static final long MOST_BYTES = 8 * 1024 * 1024;

	private static final int MOST_PARTS = 16;

	/** Most bytes of a text. */
	private static final int MOST_TEXT = 16 * 1024;

	private static final ResolvableType PART = ResolvableType.forClass(PartEvent.class);

	private final PartEventHttpMessageReader reader = new PartEventHttpMessageReader();

	MultipartForms() {
		this.reader.setMaxParts(MOST_PARTS);
		this.reader.setMaxInMemorySize(MOST_TEXT);
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		String type = exchange.getRequest().getHeaders().getFirst(HttpHeaders.CONTENT_TYPE);
		return chain
			.filter((type != null && type.toLowerCase(Locale.ROOT).startsWith(MediaType.MULTIPART_FORM_DATA_VALUE))
					? new FormExchange(exchange, read(exchange)) : exchange);
	}

	private Mono<MultiValueMap<String, String>> read(ServerWebExchange exchange) {
		return parts(exchange.getRequest()).doOnNext((parts) -> exchange.getAttributes().put(FILES, parts.files()))
			.map(SentParts::fields)
			.cache();
	}

	private Mono<SentParts> parts(ServerHttpRequest request) {
		long length = request.getHeaders().getContentLength();
		if (length < 0 || length > MOST_BYTES) {
			return Mono.error(() -> new ProblemException(HttpStatus.CONTENT_TOO_LARGE,
					Message.of("error.413-files", SentFile.MOST_BYTES / 1024)));
		}
		return this.reader.read(PART, request, Map.of())
			.collect(SentParts::new, SentParts::add)
			.onErrorMap((error) -> error instanceof DecodingException || error instanceof IllegalArgumentException,
					(error) -> new ServerWebInputException("not a form", null, error));
	}

	/** An exchange whose form has files. */
	private static final class FormExchange extends ServerWebExchangeDecorator {

		private final Mono<MultiValueMap<String, String>> fields;

		FormExchange(ServerWebExchange exchange, Mono<MultiValueMap<String, String>> fields) {
			super(exchange);
			this.fields = fields;
		}

		@Override
		public Mono<MultiValueMap<String, String>> getFormData() {
			return this.fields;
		}

	}

}
