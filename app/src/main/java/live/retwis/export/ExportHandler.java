package live.retwis.export;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

import live.retwis.account.SessionReader;
import live.retwis.account.User;
import live.retwis.account.UserRepository;
import live.retwis.limit.RateLimit;
import live.retwis.picture.Picture;
import live.retwis.web.RouteContributor;
import live.retwis.web.SignInRedirect;
import live.retwis.web.SiteMap;
import live.retwis.web.Viewer;
import reactor.core.publisher.Mono;

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

	private final AccountExport export;

	ExportHandler(SessionReader sessions, UserRepository users, AccountExport export) {
		this.sessions = sessions;
		this.users = users;
		this.export = export;
	}

	@Override
	public void addTo(SiteMap site) {
		site.get("/settings/export", RateLimit.EXPORTS, this::export);
	}

	private Mono<ServerResponse> export(ServerRequest request) {
		return this.sessions.of(request.exchange())
			.map(Viewer::id)
			.flatMap(this.users::findById)
			.flatMap((user) -> this.users.findPicture(user.id())
				.singleOptional()
				.flatMap((picture) -> file(request, user, picture)))
			.switchIfEmpty(Mono.defer(() -> SignInRedirect.first(request)));
	}

	private Mono<ServerResponse> file(ServerRequest request, User user, Optional<Picture> picture) {
		DataBufferFactory buffers = request.exchange().getResponse().bufferFactory();
		ContentDisposition file = ContentDisposition.attachment()
			.filename("retwis-" + user.username() + ".json")
			.build();
		return ServerResponse.ok()
			.contentType(MediaType.APPLICATION_JSON)
			.headers((headers) -> headers.setContentDisposition(file))
			.body(BodyInserters.fromDataBuffers(this.export.of(user, picture)
				.<DataBuffer>map((piece) -> buffers.wrap(piece.getBytes(StandardCharsets.UTF_8)))));
	}

}
