package live.retwis.timeline;

import java.util.List;
import java.util.Optional;

import live.retwis.account.Sessions;
import live.retwis.account.User;
import live.retwis.account.UserRepository;
import live.retwis.follow.FollowRepository;
import live.retwis.follow.FollowRepository.Relation;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;

/**
 * Reads what a profile shows beside the posts.
 */
@Component
class Profiles {

	private final Sessions sessions;

	private final UserRepository users;

	private final FollowRepository follows;

	private final TimelineRepository timelines;

	Profiles(Sessions sessions, UserRepository users, FollowRepository follows, TimelineRepository timelines) {
		this.sessions = sessions;
		this.users = users;
		this.follows = follows;
		this.timelines = timelines;
	}

	/** The id of the user with this name; empty when there is none. */
	Mono<String> findId(String username) {
		return this.users.findId(username);
	}

	/**
	 * Reads everything concurrently. The relation is read for the user whom the cookie
	 * names, and dropped if the session is not valid.
	 */
	Mono<Profile> read(ServerWebExchange exchange, String userId) {
		Mono<Optional<Known>> relation = Mono.justOrEmpty(Sessions.claimedUserId(exchange))
			.filter((viewerId) -> !viewerId.equals(userId))
			.flatMap((viewerId) -> this.follows.relation(viewerId, userId))
			.flatMap((found) -> this.users.findAll(found.followedBy().first())
				.map((friends) -> Optional.of(new Known(found, friends.stream().map(User::username).toList()))))
			.defaultIfEmpty(Optional.empty());
		return Mono
			.zip(this.users.findById(userId), this.sessions.optional(exchange), this.timelines.countPostsOf(userId),
					this.follows.counts(userId), relation)
			.map((read) -> {
				Optional<Known> known = read.getT2().flatMap((viewer) -> read.getT5());
				return new Profile(read.getT1(), read.getT2(), read.getT3(), read.getT4(),
						known.map(Known::friends).orElse(List.of()), known.map(Known::relation));
			});
	}

	/**
	 * How the viewer is related to the user.
	 *
	 * @param friends names of the first of those whom the viewer follows and who follow
	 * the user
	 */
	private record Known(Relation relation, List<String> friends) {
	}

}
