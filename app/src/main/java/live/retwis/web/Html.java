package live.retwis.web;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;

import com.samskivert.mustache.Template;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseCookie;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Answers for people.
 */
public final class Html {

	static final MediaType UTF8 = new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8);

	private Html() {
	}

	/** A page, 200. */
	public static Mono<ServerResponse> page(Template template, Object view) {
		return page(HttpStatusCode.valueOf(200), template, view);
	}

	/** A page, 200, with markup where its view has it. */
	public static Mono<ServerResponse> page(Template template, Object view, Markup markup) {
		String page = template.execute(view);
		return ServerResponse.ok().contentType(UTF8).body((message, context) -> {
			DataBuffer html = markup.into(page, message.bufferFactory());
			message.getHeaders().setContentLength(html.readableByteCount());
			return message.writeWith(Mono.just(html));
		});
	}

	/** A page with another status. */
	public static Mono<ServerResponse> page(HttpStatusCode status, Template template, Object view) {
		return page(ServerResponse.status(status), template, view);
	}

	/** A page with headers of its own. */
	public static Mono<ServerResponse> page(ServerResponse.BodyBuilder response, Template template, Object view) {
		byte[] html = template.execute(view).getBytes(StandardCharsets.UTF_8);
		return response.contentType(UTF8).body((message, context) -> {
			message.getHeaders().setContentLength(html.length);
			return message.writeWith(Mono.just(message.bufferFactory().wrap(html)));
		});
	}

	/** After a form that succeeded. */
	public static Mono<ServerResponse> seeOther(String address) {
		return ServerResponse.seeOther(URI.create(address)).build();
	}

	/** The same, with a cookie. */
	public static Mono<ServerResponse> seeOther(String address, ResponseCookie cookie) {
		return ServerResponse.seeOther(URI.create(address)).cookie(cookie).build();
	}

	/**
	 * Whether the client asks for JSON rather than a page: it names JSON, and does not
	 * name HTML before it.
	 */
	public static boolean wantsJson(ServerRequest request) {
		return wantsJson(request.headers().accept());
	}

	static boolean wantsJson(List<MediaType> accept) {
		for (MediaType type : accept) {
			if (MediaType.TEXT_HTML.equalsTypeAndSubtype(type)) {
				return false;
			}
			if (MediaType.APPLICATION_JSON.equalsTypeAndSubtype(type)
					|| MediaType.APPLICATION_PROBLEM_JSON.equalsTypeAndSubtype(type)) {
				return true;
			}
		}
		return false;
	}

}
