package live.retwis.export;

import java.nio.charset.StandardCharsets;

import live.retwis.account.Session;
import live.retwis.account.SessionReader;
import live.retwis.account.StoredPictureReader;
import live.retwis.account.UserRepository;
import live.retwis.limit.RateLimit;
import live.retwis.web.RouteContributor;
import live.retwis.web.SignInRedirect;
import live.retwis.web.SiteMap;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.function.TupleUtils;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.http.ContentDisposition;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Serves users their own data as a file. */
@Component
class ExportHandler implements RouteContributor {

	private final SessionReader sessions;

	private final UserRepository users;

	private final StoredPictureReader pictures;

	private final AccountExport export;

	ExportHandler(SessionReader sessions, UserRepository users, StoredPictureReader pictures, AccountExport export) {
		this.sessions = sessions;
		this.users = users;
		this.pictures = pictures;
		this.export = export;
	}

	@Override
	public void addTo(SiteMap site) {
		site.get("/settings/export", RateLimit.EXPORTS, this::export);
	}

	private Mono<ServerResponse> export(ServerRequest request) {
		return this.sessions.find(request.exchange())
			.flatMap((session) -> export(request, session))
			.switchIfEmpty(Mono.defer(() -> SignInRedirect.first(request)));
	}

	private Mono<ServerResponse> export(ServerRequest request, Session session) {
		String userId = session.viewer().id();
		return Mono
			.zip(this.users.findById(userId), this.pictures.find(userId).singleOptional(),
					this.sessions.export(request.exchange(), session))
			.flatMap(TupleUtils.function(
					(user, picture, listed) -> file(request, user.username(), this.export.of(user, picture, listed))));
	}

	private Mono<ServerResponse> file(ServerRequest request, String username, Flux<String> pieces) {
		DataBufferFactory buffers = request.exchange().getResponse().bufferFactory();
		ContentDisposition file = ContentDisposition.attachment().filename("retwis-" + username + ".json").build();
		return ServerResponse.ok()
			.contentType(MediaType.APPLICATION_JSON)
			.headers((headers) -> headers.setContentDisposition(file))
			.body(BodyInserters.fromDataBuffers(
					pieces.<DataBuffer>map((piece) -> buffers.wrap(piece.getBytes(StandardCharsets.UTF_8)))));
	}

}
