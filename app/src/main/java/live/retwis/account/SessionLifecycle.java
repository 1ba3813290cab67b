package live.retwis.account;

import java.util.Optional;

import live.retwis.account.SessionLastSeenRecorder.Seen;
import live.retwis.redis.Uncancellable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;

/** Opens and ends sessions. */
@Component
public class SessionLifecycle {

	private final UserSessionsRepository list;

	private final SessionLastSeenRecorder recorder;

	private final KnownDevices devices;

	private final SingleSessionRevocation ending;

	private final CredentialsRepository credentials;

	SessionLifecycle(UserSessionsRepository list, SessionLastSeenRecorder recorder, KnownDevices devices,
			SingleSessionRevocation ending, CredentialsRepository credentials) {
		this.list = list;
		this.recorder = recorder;
		this.devices = devices;
		this.ending = ending;
		this.credentials = credentials;
	}

	/**
	 * Opens a session, and lists it among the user's sessions. The session that this
	 * browser had before ends. A client that goes away does not stop this half-way: its
	 * session would be one that the list lacks, and one that left the list would go on.
	 */
	Mono<SessionCookie> open(ServerWebExchange exchange, String userId, String generation) {
		return begin(exchange, SessionCookie.create(userId), generation,
				DeviceCookie.of(exchange).orElseGet(DeviceCookie::create));
	}

	/**
	 * Opens a session of the next generation in place of this one. Nobody has entered a
	 * password for that, so a browser that is not known does not become known.
	 * @return empty when this one has ended before it is marked as renewed, and must not
	 * come back
	 */
	Mono<SessionCookie> renew(ServerWebExchange exchange, Session session) {
		return Uncancellable
			.of(known(exchange, session.viewer().id()).flatMap((device) -> renew(exchange, session, device)));
	}

	/**
	 * The same after a change of the password. No other browser stays known.
	 */
	Mono<SessionCookie> renewAlone(ServerWebExchange exchange, Session session) {
		String userId = session.viewer().id();
		return Uncancellable
			.of(known(exchange, userId).flatMap((device) -> renew(exchange, session, device).singleOptional()
				.delayUntil((opened) -> forgetOthers(userId, device, session.nextGeneration()))
				.flatMap(Mono::justOrEmpty)));
	}

	/** Forgets none if a fail-over has lost the new generation. */
	private Mono<Void> forgetOthers(String userId, Optional<DeviceCookie> device, String generation) {
		return this.credentials.find(userId)
			.filter((now) -> now.generation().equals(generation))
			.flatMap((now) -> this.devices.forgetOthers(userId, device, generation));
	}

	private Mono<SessionCookie> renew(ServerWebExchange exchange, Session session, Optional<DeviceCookie> device) {
		SessionCookie cookie = SessionCookie.create(session.viewer().id());
		return this.list.renew(session, cookie.tokenHash())
			.filter(Boolean::booleanValue)
			.flatMap((mine) -> begin(exchange, cookie, session.nextGeneration(), device.orElse(null)));
	}

	/** No browser of the user stays known after a change of the password. */
	Mono<Void> forgetDevices(String userId, String generation) {
		return this.devices.forgetOthers(userId, Optional.empty(), generation);
	}

	private Mono<Optional<DeviceCookie>> known(ServerWebExchange exchange, String userId) {
		return this.devices.known(exchange, userId)
			.map((hash) -> DeviceCookie.of(exchange))
			.defaultIfEmpty(Optional.empty());
	}

	/**
	 * Begins a session. If the generation has moved on meanwhile, by a change of the
	 * password or because the account is deleted, nothing of it stays.
	 * @param device the browser that is known from now on; null for none
	 */
	private Mono<SessionCookie> begin(ServerWebExchange exchange, SessionCookie cookie, String generation,
			@Nullable DeviceCookie device) {
		String userId = cookie.userId();
		String tokenHash = cookie.tokenHash();
		Mono<Void> replaced = Flux
			.concat(Mono.justOrEmpty(SessionCookie.of(exchange)).flatMap((before) -> replace(before, userId)),
					Mono.justOrEmpty(device)
						.flatMap((browser) -> this.devices.keep(userId, browser, tokenHash, generation))
						.flatMap((before) -> this.list.end(userId, before).then()))
			.then();
		return Uncancellable
			.of(this.list.begin(userId, tokenHash, generation)
				.then(replaced)
				.then(this.recorder.note(new Seen(userId, tokenHash, generation, UserAgent.of(exchange))))
				.then(undoIfOver(userId, tokenHash, generation, device)))
			.then(Mono.fromRunnable(() -> {
				if (device != null) {
					exchange.getResponse().addCookie(device.set(exchange));
				}
			}))
			.thenReturn(cookie);
	}

	private Mono<Void> undoIfOver(String userId, String tokenHash, String generation, @Nullable DeviceCookie device) {
		return this.credentials.find(userId)
			.map((now) -> now.generation().equals(generation))
			.defaultIfEmpty(false)
			.flatMap((valid) -> valid ? Mono.empty() : this.list.end(userId, tokenHash)
				.then(Mono.justOrEmpty(device).flatMap((browser) -> this.devices.forget(userId, browser, tokenHash))));
	}

	/**
	 * If it was another user's session, that user's open pages in this browser end too.
	 */
	private Mono<Void> replace(SessionCookie before, String userId) {
		Mono<Void> end = this.list.end(before.userId(), before.tokenHash()).then();
		return before.userId().equals(userId) ? end
				: this.ending.endListed(before.userId(), SessionCookie.publicId(before.tokenHash())).then(end);
	}

	/** Ends this session, and tells every instance, so that its streams end. */
	Mono<Void> end(Session session) {
		return this.ending.end(session.viewer().id(), session.tokenHash());
	}

	/** {@link UserSessionsRepository#end}: ends this session only. */
	Mono<Session> close(Session session) {
		return this.list.end(session.viewer().id(), session.tokenHash());
	}

	/** {@link #close}, for the request's session when it is over. */
	Mono<Session> closeOver(ServerWebExchange exchange) {
		return Mono.justOrEmpty(SessionCookie.of(exchange))
			.flatMap((cookie) -> this.list.end(cookie.userId(), cookie.tokenHash()));
	}

	/** Ends all sessions of a user who has deleted the account. */
	public Mono<Void> remove(String userId) {
		return this.list.remove(userId).then(this.devices.remove(userId));
	}

}
