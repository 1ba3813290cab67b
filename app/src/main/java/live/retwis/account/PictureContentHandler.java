package live.retwis.account;

import java.time.Duration;

import live.retwis.i18n.Message;
import live.retwis.picture.Picture;
import live.retwis.web.ETagResponse;
import live.retwis.web.ProblemException;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import reactor.core.publisher.Mono;

import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Serves the pictures that users have uploaded. An address names the content, so that
 * browsers can keep it for a year.
 */
@Component
class PictureContentHandler implements RouteContributor {

	private static final CacheControl FOR_GOOD = CacheControl.maxAge(Duration.ofDays(365)).cachePublic().immutable();

	private final StoredPictureReader pictures;

	PictureContentHandler(StoredPictureReader pictures) {
		this.pictures = pictures;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get("/pictures/{user}/{hash}", this::picture);
	}

	private Mono<ServerResponse> picture(ServerRequest request) {
		String user = request.pathVariable("user");
		String hash = request.pathVariable("hash");
		return this.pictures.has(user, hash)
			.filter(Boolean::booleanValue)
			.flatMap((has) -> ETagResponse.of(request, "\"" + hash + "\"", FOR_GOOD, () -> send(user, hash)))
			.switchIfEmpty(ProblemException.notFound(Message.of("error.no-file")));
	}

	private Mono<ServerResponse> send(String user, String hash) {
		return this.pictures.find(user)
			.filter((picture) -> picture.hash().equals(hash))
			.flatMap(PictureContentHandler::send);
	}

	private static Mono<ServerResponse> send(Picture picture) {
		return ServerResponse.ok()
			.contentType(MediaType.IMAGE_JPEG)
			.contentLength(picture.jpeg().length)
			.body((message, context) -> message
				.writeWith(Mono.fromSupplier(() -> message.bufferFactory().wrap(picture.jpeg()))));
	}

}
