package live.retwis.web;

import java.util.function.Supplier;

import reactor.core.publisher.Mono;

import org.springframework.http.CacheControl;
import org.springframework.util.DigestUtils;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Answers that clients keep. A client that has the content already is answered with 304.
 */
public final class ETagResponse {

	private ETagResponse() {
	}

	/**
	 * A tag of content. It is a weak one, because the content may be compressed on its
	 * way.
	 */
	public static String tag(byte[] content) {
		return "W/\"" + DigestUtils.md5DigestAsHex(content) + "\"";
	}

	/**
	 * An answer with this tag.
	 * @param keep how long a client may use it without asking again
	 * @param content makes the answer for a client that does not have the content
	 */
	public static Mono<ServerResponse> of(ServerRequest request, String tag, CacheControl keep,
			Supplier<Mono<ServerResponse>> content) {
		request.exchange().getResponse().getHeaders().setCacheControl(keep);
		return request.checkNotModified(tag).switchIfEmpty(Mono.defer(content));
	}

}
