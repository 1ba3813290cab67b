package live.retwis.export;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

import live.retwis.account.Session;
import live.retwis.account.SessionReader;
import live.retwis.account.StoredPictureReader;
import live.retwis.account.UserRepository;
import live.retwis.limit.RateLimit;
import live.retwis.web.ClientDisconnectSignal;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.function.TupleUtils;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.http.ContentDisposition;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Serves users their own data as a file. */
@Component
class ExportHandler implements RouteContributor {

	/**
	 * Bytes that are written at once. Reactor Netty asks for 128 of these before the
	 * client has read any, and no more than those wait in memory for a slow one.
	 */
	private static final int CHUNK = 4 * 1024;

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
	public void addTo(RouteTable routes) {
		routes.get("/settings/export", RateLimit.EXPORTS, this::export);
	}

	private Mono<ServerResponse> export(ServerRequest request) {
		return this.sessions.signedIn(request, (session) -> export(request, session));
	}

	private Mono<ServerResponse> export(ServerRequest request, Session session) {
		String userId = session.viewer().id();
		return Mono
			.zip(this.users.findById(userId), this.pictures.find(userId).singleOptional(),
					this.sessions.export(request.exchange(), session))
			.flatMap(TupleUtils.function(
					(user, picture, listed) -> file(request, user.username(), this.export.of(user, picture, listed))));
	}

	static Mono<ServerResponse> file(ServerRequest request, String username, Flux<String> pieces) {
		ServerHttpResponse answer = request.exchange().getResponse();
		DataBufferFactory buffers = answer.bufferFactory();
		ContentDisposition file = ContentDisposition.attachment().filename("retwis-" + username + ".json").build();
		return ServerResponse.ok()
			.contentType(MediaType.APPLICATION_JSON)
			.headers((headers) -> headers.setContentDisposition(file))
			.body(BodyInserters.fromDataBuffers(pieces.takeUntilOther(ClientDisconnectSignal.gone(answer))
				.flatMapIterable((piece) -> chunks(piece, buffers), 1)));
	}

	private static List<DataBuffer> chunks(String piece, DataBufferFactory buffers) {
		byte[] bytes = piece.getBytes(StandardCharsets.UTF_8);
		return IntStream.iterate(0, (from) -> from < bytes.length, (from) -> from + CHUNK)
			.<DataBuffer>mapToObj(
					(from) -> buffers.wrap(ByteBuffer.wrap(bytes, from, Math.min(CHUNK, bytes.length - from))))
			.toList();
	}

}
