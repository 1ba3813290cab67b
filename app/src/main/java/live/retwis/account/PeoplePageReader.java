package live.retwis.account;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.redis.Cursor;
import live.retwis.web.CursorParameter;
import live.retwis.web.Viewer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;

/** Pages of lists of users. */
@Component
public class PeoplePageReader {

	private static final int SIZE = 50;

	private final ListedPeopleReader people;

	PeoplePageReader(ListedPeopleReader people) {
		this.people = people;
	}

	/**
	 * The page that a request asks for.
	 * @param viewer gets buttons to follow
	 * @param hidden whom the page leaves out
	 * @param key key of the list
	 * @param path address of the list
	 * @param list reads the list: which places, and how many at most
	 */
	public Mono<PeoplePage> of(ServerRequest request, Optional<Viewer> viewer, Predicate<String> hidden, String key,
			String path, PlacesReader list) {
		Optional<Cursor> before = CursorParameter.of(request, key);
		return list.read(before, SIZE + 1).flatMap((found) -> {
			List<Cursor> shown = found.subList(0, Math.min(SIZE, found.size()));
			String older = (found.size() > SIZE)
					? path + "?" + CursorParameter.PARAMETER + "=" + shown.get(SIZE - 1).text(key) : null;
			List<Cursor> visible = shown.stream().filter((place) -> !hidden.test(place.member())).toList();
			return this.people.list(viewer, visible)
				.map((people) -> new PeoplePage(people, older, before.isPresent() ? path : null,
						visible.isEmpty() && !shown.isEmpty()));
		});
	}

	/** Reads a part of a list of users. */
	public interface PlacesReader {

		/**
		 * At most this many places before a cursor, or from the beginning of the list.
		 */
		Mono<List<Cursor>> read(Optional<Cursor> before, int count);

	}

	/**
	 * A page of a list of users.
	 *
	 * @param people the users
	 * @param older address of the next page; null on the last page
	 * @param newest address of the first page; null on that page
	 * @param allHidden whether the page leaves out everybody who is on it
	 */
	public record PeoplePage(List<ListedPerson> people, @Nullable String older, @Nullable String newest,
			boolean allHidden) {

		private static final Message ALL_HIDDEN = Message.of("people.all-hidden");

		/**
		 * What a page without users says.
		 * @param nobody what it says when there is nobody
		 */
		public Localized empty(Localized nobody) {
			return this.allHidden ? ALL_HIDDEN : nobody;
		}

		public Json json() {
			return new Json(this.people.stream().map(PersonJson::of).toList(), this.older);
		}

	}

	/**
	 * The same for programs.
	 *
	 * @param users the users
	 * @param older address of the next page; null on the last page
	 */
	public record Json(List<PersonJson> users, @Nullable String older) {
	}

}
