package live.retwis.timeline;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import live.retwis.account.ListedPeopleReader;
import live.retwis.account.ListedPerson;
import live.retwis.account.RecentUsers;
import live.retwis.follow.FollowRepository;
import live.retwis.redis.BestEffortReads;
import live.retwis.restriction.HiddenAuthors;
import live.retwis.tag.ListedTag;
import live.retwis.tag.TrendingTags;
import live.retwis.web.Viewer;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Reads what the public timeline shows beside the posts: new users, and tags of the day.
 */
@Component
class PublicSidebarReader {

	private static final int PEOPLE = 10;

	private final RecentUsers recent;

	private final ListedPeopleReader people;

	private final FollowRepository follows;

	private final TrendingTags trending;

	/** The new users at the last read; empty before the first one. */
	private volatile Set<String> last = Set.of();

	PublicSidebarReader(RecentUsers recent, ListedPeopleReader people, FollowRepository follows,
			TrendingTags trending) {
		this.recent = recent;
		this.people = people;
		this.follows = follows;
		this.trending = trending;
	}

	/**
	 * The same for everybody. Takes two round trips, or one if the users are cached. What
	 * is on a node that is away or slow is left out.
	 */
	Mono<Side> read(BestEffortReads beside) {
		Mono<List<ListedPerson>> newest = this.recent.newest(PEOPLE)
			.flatMap(this.people::list)
			.doOnNext((listed) -> this.last = listed.stream().map(ListedPerson::id).collect(Collectors.toSet()));
		return Mono.zip(beside.read(newest, List.of()), beside.read(this.trending.top(), List.of()), Side::new);
	}

	/**
	 * Which of the new users the viewer follows. This is asked in the same round trip in
	 * which the new users are read, so it is asked about those of the last read.
	 */
	Mono<Optional<Followed>> followed(Optional<String> viewerId) {
		Set<String> asked = this.last;
		return Mono.justOrEmpty(viewerId)
			.flatMap((id) -> asked.isEmpty() ? this.follows.allFollowed(id).map(Set::copyOf)
					: this.follows.followedAmong(id, asked))
			.map((followed) -> Optional.of(new Followed(asked, followed)))
			.defaultIfEmpty(Optional.empty());
	}

	/**
	 * The users whom a viewer follows.
	 *
	 * @param asked the users of whom this is known; empty for all
	 * @param followed those of them whom the viewer follows
	 */
	record Followed(Set<String> asked, Set<String> followed) {
	}

	/**
	 * What is beside the posts.
	 *
	 * @param people the newest users
	 * @param trending the tags with the most posts of the last day
	 */
	record Side(List<ListedPerson> people, List<ListedTag> trending) {

		/** A copy without the users whom the viewer does not see. */
		Side without(HiddenAuthors hidden) {
			return new Side(this.people.stream().filter((person) -> !hidden.contains(person.id())).toList(),
					this.trending);
		}

		/**
		 * A copy with buttons to follow. A user who has registered since the last read
		 * gets a button on the next page.
		 */
		Side with(Viewer viewer, Followed known) {
			Set<String> asked = known.asked().isEmpty()
					? this.people.stream().map(ListedPerson::id).collect(Collectors.toSet()) : known.asked();
			return new Side(ListedPeopleReader.withButtons(viewer, this.people, asked, known.followed()),
					this.trending);
		}

	}

}
