package live.retwis.account;

import live.retwis.account.SessionRecorder.Seen;
import live.retwis.redis.Uncancellable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;

/** Opens and ends sessions. */
@Component
public class SessionLifecycle {

	private final SessionList list;

	private final SessionRecorder recorder;

	private final KnownDevices devices;

	private final SessionEnding ending;

	SessionLifecycle(SessionList list, SessionRecorder recorder, KnownDevices devices, SessionEnding ending) {
		this.list = list;
		this.recorder = recorder;
		this.devices = devices;
		this.ending = ending;
	}

	/**
	 * Opens a session, and lists it among the user's sessions. The session that this
	 * browser had before ends. A client that goes away does not stop this half-way: its
	 * session would be one that the list lacks, and one that left the list would go on.
	 */
	Mono<SessionCookie> open(ServerWebExchange exchange, String userId, String generation) {
		SessionCookie cookie = SessionCookie.create(userId);
		String tokenHash = cookie.tokenHash();
		DeviceCookie device = DeviceCookie.of(exchange).orElseGet(DeviceCookie::create);
		Mono<Void> replaced = Flux
			.concat(Mono.justOrEmpty(SessionCookie.of(exchange)).flatMap((before) -> replace(before, userId)),
					this.devices.keep(userId, device, tokenHash).flatMap((before) -> this.list.end(userId, before)))
			.then();
		return Uncancellable
			.of(this.list.begin(userId, tokenHash, generation)
				.then(replaced)
				.then(this.recorder.note(new Seen(userId, tokenHash, generation, Device.of(exchange)))))
			.then(Mono.fromRunnable(() -> exchange.getResponse().addCookie(device.set(exchange))))
			.thenReturn(cookie);
	}

	/**
	 * If it was another user's session, that user's open pages in this browser end too.
	 */
	private Mono<Void> replace(SessionCookie before, String userId) {
		Mono<Void> end = this.list.end(before.userId(), before.tokenHash());
		return before.userId().equals(userId) ? end
				: this.ending.endListed(before.userId(), SessionCookie.publicId(before.tokenHash())).then(end);
	}

	/** Ends this session, and tells every instance, so that its streams end. */
	Mono<Void> end(Session session) {
		return this.ending.end(session.viewer().id(), session.tokenHash());
	}

	/** DEL {@code auth:{sha}}: ends this session only. */
	Mono<Void> close(Session session) {
		return this.list.end(session.viewer().id(), session.tokenHash());
	}

	/** Ends all sessions of a user who has deleted the account. */
	public Mono<Void> remove(String userId) {
		return this.list.remove(userId).then(this.devices.remove(userId));
	}

}
