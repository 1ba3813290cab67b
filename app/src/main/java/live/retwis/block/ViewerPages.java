package live.retwis.block;

import java.util.Optional;
import java.util.function.Function;

import live.retwis.account.Sessions;
import live.retwis.web.Viewer;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;

/** Reads pages that everybody may see, without the posts that the viewer does not see. */
@Component
public class ViewerPages {

	private final Sessions sessions;

	private final HiddenAuthorsCache hidden;

	ViewerPages(Sessions sessions, HiddenAuthorsCache hidden) {
		this.sessions = sessions;
		this.hidden = hidden;
	}

	/**
	 * Reads a page and the session at the same time. The page is read for the user whom
	 * the cookie names. If the session is not valid, it is read again as for a visitor,
	 * so that nobody else learns whom a user has restricted.
	 * @param page reads the page; it may subscribe to who is hidden more than once
	 * @return empty when the page is
	 */
	public <T> Mono<Read<T>> read(ServerWebExchange exchange, Function<Mono<HiddenAuthors>, Mono<T>> page) {
		Mono<HiddenAuthors> nobody = Mono.just(HiddenAuthors.NOBODY);
		Mono<HiddenAuthors> claimed = Mono.justOrEmpty(Sessions.claimedUserId(exchange))
			.flatMap(this.hidden::of)
			.switchIfEmpty(nobody);
		return Mono.zip(page.apply(claimed), this.sessions.optional(exchange), claimed)
			.flatMap((read) -> (read.getT2().isPresent() || read.getT3().isNobody())
					? Mono.just(new Read<>(read.getT1(), read.getT2(), read.getT3()))
					: page.apply(nobody).map((again) -> new Read<>(again, Optional.empty(), HiddenAuthors.NOBODY)));
	}

	/**
	 * Reads a page that only its viewer sees. What the page reads before it asks who is
	 * hidden is read at the same time as the session. If the session is not valid, the
	 * page never learns who is hidden, so nothing more is read.
	 * @param page reads the page; empty when who is hidden is
	 * @return empty when the session is not valid
	 */
	public <T> Mono<Read<T>> readOwn(ServerWebExchange exchange, Function<Mono<HiddenAuthors>, Mono<T>> page) {
		Mono<Viewer> viewer = this.sessions.of(exchange).cache();
		Mono<HiddenAuthors> hidden = Mono.justOrEmpty(Sessions.claimedUserId(exchange)).flatMap(this.hidden::of);
		Mono<HiddenAuthors> own = Mono.zip(viewer, hidden, (valid, authors) -> authors);
		return Mono.zip(page.apply(own), viewer, hidden)
			.map((read) -> new Read<>(read.getT1(), Optional.of(read.getT2()), read.getT3()));
	}

	/**
	 * A page as a viewer sees it.
	 *
	 * @param <T> the type of the page
	 * @param page what was read
	 * @param viewer the viewer; empty when signed out
	 * @param hidden the users whose posts the viewer does not see
	 */
	public record Read<T>(T page, Optional<Viewer> viewer, HiddenAuthors hidden) {
	}

}
