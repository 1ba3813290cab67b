package live.retwis.account;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import live.retwis.i18n.Message;
import live.retwis.redis.Cursor;
import live.retwis.web.Viewer;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Reads lists of users, with their numbers of followers and with buttons to follow. */
@Component
public class ListedPeopleReader {

	private final UserRepository users;

	private final FollowSummaryLookup follows;

	ListedPeopleReader(UserRepository users, FollowSummaryLookup follows) {
		this.users = users;
		this.follows = follows;
	}

	/**
	 * The users of a list, without buttons. Suspended users are left out. Takes one round
	 * trip at most.
	 */
	public Mono<List<ListedPerson>> list(List<Cursor> places) {
		List<String> ids = places.stream().map(Cursor::member).toList();
		return Mono.zip(this.users.findShown(ids), this.follows.followerCounts(ids), (found, counts) -> {
			Map<String, User> known = found.stream().collect(Collectors.toMap(User::id, (user) -> user));
			List<ListedPerson> people = new ArrayList<>();
			for (int i = 0; i < ids.size(); i++) {
				User user = known.get(ids.get(i));
				if (user != null) {
					people.add(new ListedPerson(user.id(), user.since(places.get(i).score()), counts.get(i),
							Message.of("people.count", counts.get(i)), false, false));
				}
			}
			return people;
		});
	}

	/** The users of a list as the viewer sees it. Takes one round trip at most. */
	public Mono<List<ListedPerson>> list(Optional<Viewer> viewer, List<Cursor> places) {
		Set<String> ids = places.stream().map(Cursor::member).collect(Collectors.toSet());
		return viewer.isEmpty() ? list(places)
				: Mono.zip(list(places), this.follows.followedAmong(viewer.get().id(), ids),
						(people, followed) -> withButtons(viewer.get(), people, ids, followed));
	}

	/**
	 * Adds buttons.
	 * @param asked the users of whom it is known whether the viewer follows them
	 */
	public static List<ListedPerson> withButtons(Viewer viewer, List<ListedPerson> people, Set<String> asked,
			Set<String> followed) {
		return people.stream()
			.map((person) -> (person.id().equals(viewer.id()) || !asked.contains(person.id())) ? person
					: person.with(followed.contains(person.id())))
			.toList();
	}

}
