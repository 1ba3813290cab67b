package live.retwis.web;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Semaphore;

import live.retwis.i18n.Message;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.ResolvableType;
import org.springframework.core.codec.DecodingException;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.codec.FormHttpMessageReader;
import org.springframework.http.codec.multipart.PartEvent;
import org.springframework.http.codec.multipart.PartEventHttpMessageReader;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.ServerWebInputException;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Reads each form before any other filter does. A form from a page of another site is
 * refused unread. A form that cannot be read is answered here: the CSRF filter would tell
 * its error twice, and nothing handles the second one. Forms with files are read like any
 * other. Spring's own reader would write large parts to temporary files.
 */
class FormReader implements WebFilter {

	/** Name of the attribute that has the files of a form that was read. */
	static final String FILES = FormReader.class.getName() + ".files";

	/** Name of the attribute that has the fields of a form that was read. */
	static final String FIELDS = FormReader.class.getName() + ".fields";

	/**
	 * Larger forms with files are refused unread, and so are those that do not say how
	 * large they are.
	 */
	private static final long MOST_BYTES = 8 * 1024 * 1024;

	/**
	 * Larger forms have a file that is refused anyway. Reading them takes 12 ms of
	 * processor time a MB.
	 */
	private static final long LARGE = 2 * UploadedFile.MOST_BYTES;

	/** Most such forms that are read at the same time. Others are refused unread. */
	private static final int MOST_LARGE = 4;

	/** As much of each form is read in any case, and a form without files has no more. */
	private static final int SMALL = 64 * 1024;

	/**
	 * Most bytes beyond that of all forms that are being read, because they stay in
	 * memory until they have arrived. Forms for which there is no room are broken off.
	 */
	private static final int MOST_KEPT = 8 * 1024 * 1024;

	private static final int RETRY_AFTER_SECONDS = 2;

	private static final int MOST_PARTS = 16;

	/** Most bytes of a text. */
	private static final int MOST_TEXT = 16 * 1024;

	/** No form of this site has as many fields. Some answers have each of them again. */
	private static final int MOST_FIELDS = 200;

	private static final ResolvableType PART = ResolvableType.forClass(PartEvent.class);

	private static final ResolvableType TEXTS = ResolvableType.forClassWithGenerics(MultiValueMap.class, String.class,
			String.class);

	private final PartEventHttpMessageReader reader = new PartEventHttpMessageReader();

	private final FormHttpMessageReader textReader = new FormHttpMessageReader();

	private final ServerWebExchangeMatcher forms;

	private final FormOrigins origins;

	private final Duration limit;

	/** Large forms that may be read now, beside those that are. */
	private final Semaphore large = new Semaphore(MOST_LARGE);

	/** Bytes that may be read now, beside those that are kept. */
	private final Semaphore room = new Semaphore(MOST_KEPT);

	/**
	 * A reader of forms.
	 * @param forms matches the requests whose body is read
	 * @param origins tells whether a form comes from a page of this site
	 * @param limit how long a form may take to arrive
	 */
	FormReader(ServerWebExchangeMatcher forms, FormOrigins origins, Duration limit) {
		this.forms = forms;
		this.origins = origins;
		this.limit = limit;
		this.reader.setMaxParts(MOST_PARTS);
		this.reader.setMaxInMemorySize(MOST_TEXT);
		this.textReader.setMaxInMemorySize(SMALL);
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		return !exchange.getRequest().getMethod().equals(HttpMethod.POST) ? chain.filter(exchange)
				: this.forms.matches(exchange)
					.flatMap((form) -> form.isMatch()
							? readOwn(exchange).doOnNext((fields) -> exchange.getAttributes().put(FIELDS, fields))
								.flatMap((fields) -> chain.filter(new FormExchange(exchange, fields)))
							: chain.filter(exchange));
	}

	private Mono<MultiValueMap<String, String>> readOwn(ServerWebExchange exchange) {
		return this.origins.accept(exchange.getRequest()) ? read(exchange)
				: ProblemException.forbidden(Message.of("error.foreign"));
	}

	private Mono<MultiValueMap<String, String>> read(ServerWebExchange exchange) {
		return Mono.defer(() -> hasParts(exchange.getRequest()) ? fields(exchange) : texts(exchange))
			.timeout(this.limit, ProblemException.of(HttpStatus.REQUEST_TIMEOUT, Message.of("error.408-form")))
			.doOnNext(FormReader::checkNumber)
			.onErrorMap(FormReader::isMalformed, (error) -> new ServerWebInputException("not a form", null, error));
	}

	private static void checkNumber(MultiValueMap<String, String> fields) {
		if (fields.values().stream().mapToInt(List::size).sum() > MOST_FIELDS) {
			throw new DecodingException("too many fields");
		}
	}

	/** Spring's parser of types fails with an index when a quotation mark comes first. */
	private static boolean isMalformed(Throwable error) {
		return error instanceof DecodingException || error instanceof IllegalArgumentException
				|| error instanceof IndexOutOfBoundsException;
	}

	private static boolean hasParts(ServerHttpRequest request) {
		String type = request.getHeaders().getFirst(HttpHeaders.CONTENT_TYPE);
		return type != null && type.toLowerCase(Locale.ROOT).startsWith(MediaType.MULTIPART_FORM_DATA_VALUE);
	}

	/** A body of another type has no fields, and is not read. */
	private Mono<MultiValueMap<String, String>> texts(ServerWebExchange exchange) {
		ServerHttpRequest request = exchange.getRequest();
		return MediaType.APPLICATION_FORM_URLENCODED.isCompatibleWith(request.getHeaders().getContentType())
				? this.textReader.readMono(TEXTS, new CoalescedBodyRequest(request), Map.of()) : exchange.getFormData();
	}

	private Mono<MultiValueMap<String, String>> fields(ServerWebExchange exchange) {
		return parts(exchange.getRequest()).doOnNext((parts) -> exchange.getAttributes().put(FILES, parts.files()))
			.map(MultipartReader::fields);
	}

	private Mono<MultipartReader> parts(ServerHttpRequest request) {
		long length = request.getHeaders().getContentLength();
		if (length < 0 || length > MOST_BYTES) {
			return tooLarge();
		}
		Mono<MultipartReader> parts = Mono.defer(() -> {
			LimitedBody body = new LimitedBody(request);
			return this.reader.read(PART, body, Map.of())
				.collect(MultipartReader::new, MultipartReader::add)
				.doFinally((end) -> body.end());
		});
		return (length <= LARGE) ? parts : Mono
			.defer(() -> this.large.tryAcquire() ? parts.doFinally((end) -> this.large.release()) : tooLarge());
	}

	private static <T> Mono<T> tooLarge() {
		return Mono.error(() -> new ProblemException(HttpStatus.CONTENT_TOO_LARGE,
				Message.of("error.413-files", UploadedFile.MOST_BYTES / 1024)));
	}

	/**
	 * A request whose body is read as long as there is room. It is not in Netty's counted
	 * buffers, because Spring's reader releases a buffer twice when a text is too long.
	 */
	private final class LimitedBody extends CoalescedBodyRequest {

		private int read;

		/** Bytes for which there was room. */
		private int kept;

		private boolean ended;

		LimitedBody(ServerHttpRequest request) {
			super(request);
		}

		@Override
		public Flux<DataBuffer> getBody() {
			return super.getBody().concatMap((block) -> hasRoom(block.readableByteCount()) ? Mono.just(block)
					: ProblemException.later(Message.of("error.busy"), RETRY_AFTER_SECONDS), 0);
		}

		private synchronized boolean hasRoom(int bytes) {
			this.read += bytes;
			int more = Math.max(0, Math.min(this.read, (int) LARGE) - SMALL) - this.kept;
			if (this.ended || (more > 0 && !FormReader.this.room.tryAcquire(more))) {
				return false;
			}
			this.kept += Math.max(0, more);
			return true;
		}

		/** A time-out ends it on another thread than the one that reads. */
		synchronized void end() {
			this.ended = true;
			FormReader.this.room.release(this.kept);
			this.kept = 0;
		}

	}

	/** An exchange whose form was read. */
	private static final class FormExchange extends ServerWebExchangeDecorator {

		private final MultiValueMap<String, String> fields;

		FormExchange(ServerWebExchange exchange, MultiValueMap<String, String> fields) {
			super(exchange);
			this.fields = fields;
		}

		@Override
		public Mono<MultiValueMap<String, String>> getFormData() {
			return Mono.just(this.fields);
		}

	}

}
