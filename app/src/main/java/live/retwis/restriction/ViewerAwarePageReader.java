package live.retwis.restriction;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import live.retwis.account.SessionReader;
import live.retwis.redis.CommandRecorderContext;
import live.retwis.web.Viewer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;

/**
 * Reads pages that everybody may see, without the posts that the viewer does not see.
 * Whom the viewer hides is looked up each time the page asks, mostly in the cache. So a
 * page that asks after it has its position knows of all blocks before that position. Its
 * stream would not tell of them.
 */
@Component
public class ViewerAwarePageReader {

	private final SessionReader sessions;

	private final HiddenAuthorsCache hidden;

	ViewerAwarePageReader(SessionReader sessions, HiddenAuthorsCache hidden) {
		this.sessions = sessions;
		this.hidden = hidden;
	}

	/**
	 * Reads a page that everybody may see. What the page reads before it asks who is
	 * hidden is read at the same time as the session. Nobody is hidden when the session
	 * is not valid, so nobody else learns whom a user has restricted.
	 * @param page reads the page; it may subscribe to who is hidden more than once
	 * @return empty when the page is empty
	 */
	public <T> Mono<Read<T>> read(ServerWebExchange exchange, Function<Mono<HiddenAuthors>, Mono<T>> page) {
		return readFor(exchange, (known) -> page.apply(known.map(Known::hidden).defaultIfEmpty(HiddenAuthors.NOBODY)));
	}

	/**
	 * The same for a page that shows more to its viewer.
	 * @param page reads the page; its argument is empty when the session is not valid
	 */
	public <T> Mono<Read<T>> readFor(ServerWebExchange exchange, Function<Mono<Known>, Mono<T>> page) {
		return using(exchange, (known) -> page.apply(known)
			.flatMap((read) -> known.flatMap((viewer) -> upToDate(viewer.page(read)))
				.switchIfEmpty(Mono.fromSupplier(() -> new Read<>(read, Optional.empty(), HiddenAuthors.NOBODY)))));
	}

	/**
	 * Takes the number of unread notifications again, mostly from the cache. A page of
	 * many readers may have waited for its turn to be read. Its stream does not tell of a
	 * number that changed before.
	 */
	private <T> Mono<Read<T>> upToDate(Read<T> read) {
		return Mono.justOrEmpty(read.viewer())
			.filter(Viewer::unreadKnown)
			.flatMap(this.sessions::withUnread)
			.map((viewer) -> new Read<>(read.page(), Optional.of(viewer), read.hidden()))
			.defaultIfEmpty(read);
	}

	/**
	 * Reads a page that only its viewer sees. What the page reads before it asks who is
	 * hidden is read at the same time as the session. If the session is not valid, the
	 * page never learns who is hidden, so nothing more is read.
	 * @param page reads the page; its answer is empty when its argument is empty
	 * @return empty when the session is not valid
	 */
	public <T> Mono<Read<T>> readOwn(ServerWebExchange exchange, Function<Mono<HiddenAuthors>, Mono<T>> page) {
		return using(exchange, (known) -> {
			AtomicReference<Known> asked = new AtomicReference<>();
			return page.apply(known.map((viewer) -> {
				asked.set(viewer);
				return viewer.hidden();
			})).flatMap((read) -> upToDate(Objects.requireNonNull(asked.get()).page(read)));
		});
	}

	private <T> Mono<T> using(ServerWebExchange exchange, Function<Mono<Known>, Mono<T>> page) {
		return CommandRecorderContext.using(() -> viewer(exchange), (viewer) -> page
			.apply(viewer.flatMap((one) -> this.hidden.of(one.id()).map((authors) -> new Known(one, authors)))));
	}

	/**
	 * Null when the session is not valid. Whom the viewer hides is read at the same time,
	 * unless it is in the cache.
	 */
	private CompletableFuture<@Nullable Viewer> viewer(ServerWebExchange exchange) {
		Optional<String> claimed = SessionReader.claimedUserId(exchange);
		return claimed.isEmpty() ? CompletableFuture.completedFuture(null)
				: this.sessions.read(exchange)
					.thenCombine(this.hidden.read(claimed.get()),
							(session, known) -> (session != null) ? session.viewer() : null);
	}

	/**
	 * A viewer whose session is valid, and the authors whose posts the viewer does not
	 * see.
	 *
	 * @param viewer the viewer
	 * @param hidden the users whose posts the viewer does not see
	 */
	public record Known(Viewer viewer, HiddenAuthors hidden) {

		private <T> Read<T> page(T page) {
			return new Read<>(page, Optional.of(this.viewer), this.hidden);
		}

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
