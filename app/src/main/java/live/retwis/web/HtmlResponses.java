package live.retwis.web;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseCookie;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Answers that are pages, and redirects after a form.
 */
public final class HtmlResponses {

	static final MediaType UTF8 = new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8);

	private static final Set<MediaType> JSON = Set.of(MediaType.APPLICATION_JSON, MediaType.APPLICATION_PROBLEM_JSON);

	private static final Set<MediaType> JSON_OR_STREAM = Set.of(MediaType.APPLICATION_JSON,
			MediaType.APPLICATION_PROBLEM_JSON, MediaType.TEXT_EVENT_STREAM);

	private HtmlResponses() {
	}

	/**
	 * A page with status 200.
	 * @param markup rendered markup for each place in the template, in their order
	 */
	public static Mono<ServerResponse> page(PageTemplate template, PageView view, RenderedMarkup... markup) {
		String text = template.execute(view);
		return page((factory) -> RenderedMarkup.fill(text, factory, markup));
	}

	/** A page with status 200, made by filling in a skeleton. */
	public static <P extends Enum<P>> Mono<ServerResponse> page(PageSkeleton skeleton, RenderedMarkup markup,
			Map<P, String> values) {
		return page((factory) -> skeleton.fill(factory, markup, values));
	}

	private static Mono<ServerResponse> page(Function<DataBufferFactory, DataBuffer> content) {
		return ServerResponse.ok().contentType(UTF8).body((message, context) -> {
			DataBuffer html = content.apply(message.bufferFactory());
			message.getHeaders().setContentLength(html.readableByteCount());
			return message.writeWith(Mono.just(html));
		});
	}

	/** A page with the given status. */
	public static Mono<ServerResponse> page(HttpStatusCode status, PageTemplate template, PageView view) {
		return page(ServerResponse.status(status), template, view);
	}

	/** A page for an answer whose status and headers are set already. */
	public static Mono<ServerResponse> page(ServerResponse.BodyBuilder response, PageTemplate template, PageView view) {
		return page(response, bytes(template, view));
	}

	/** A page with status 200 that is rendered already. */
	public static Mono<ServerResponse> page(byte[] html) {
		return page(ServerResponse.ok(), html);
	}

	private static Mono<ServerResponse> page(ServerResponse.BodyBuilder response, byte[] html) {
		return response.contentType(UTF8).body((message, context) -> {
			message.getHeaders().setContentLength(html.length);
			return message.writeWith(Mono.just(message.bufferFactory().wrap(html)));
		});
	}

	/** Renders a page to bytes, for a cache. */
	public static byte[] bytes(PageTemplate template, PageView view, RenderedMarkup... markup) {
		String text = template.execute(view);
		DataBuffer html = RenderedMarkup.fill(text, DefaultDataBufferFactory.sharedInstance, markup);
		byte[] bytes = new byte[html.readableByteCount()];
		html.read(bytes);
		return bytes;
	}

	/** Redirects with 303 after a form that succeeded. */
	public static Mono<ServerResponse> seeOther(String address) {
		return ServerResponse.seeOther(URI.create(address)).build();
	}

	/** Redirects with 303 and sets a cookie. */
	public static Mono<ServerResponse> seeOther(String address, ResponseCookie cookie) {
		return ServerResponse.seeOther(URI.create(address)).cookie(cookie).build();
	}

	/**
	 * Whether the client prefers JSON to a page: its {@code Accept} header names JSON,
	 * and does not name HTML before it.
	 */
	public static boolean wantsJson(ServerRequest request) {
		return wantsJson(request.headers().asHttpHeaders());
	}

	static boolean wantsJson(HttpHeaders headers) {
		return prefers(headers, JSON);
	}

	/** Whether the answer may be a page: the client prefers neither JSON nor a stream. */
	public static boolean wantsPage(HttpHeaders headers) {
		return !prefers(headers, JSON_OR_STREAM);
	}

	private static boolean prefers(HttpHeaders headers, Set<MediaType> types) {
		for (MediaType type : accepted(headers)) {
			if (MediaType.TEXT_HTML.equalsTypeAndSubtype(type)) {
				return false;
			}
			if (types.stream().anyMatch(type::equalsTypeAndSubtype)) {
				return true;
			}
		}
		return false;
	}

	/** The types that the client accepts. A malformed header says nothing about them. */
	private static List<MediaType> accepted(HttpHeaders headers) {
		try {
			return headers.getAccept();
		}
		catch (InvalidMediaTypeException ex) {
			return List.of();
		}
	}

}
