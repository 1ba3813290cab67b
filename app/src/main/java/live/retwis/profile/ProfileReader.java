package live.retwis.profile;

import java.util.List;
import java.util.Optional;

import live.retwis.account.SessionReader;
import live.retwis.account.SuspendedAccountsCache;
import live.retwis.account.User;
import live.retwis.account.UserRepository;
import live.retwis.account.UsernameRepository;
import live.retwis.follow.FollowRepository;
import live.retwis.follow.FollowRepository.Relation;
import live.retwis.i18n.Message;
import live.retwis.restriction.HiddenAuthors;
import live.retwis.timeline.AuthorPostListReader;
import live.retwis.web.ProblemException;
import reactor.core.publisher.Mono;
import reactor.function.TupleUtils;

import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;

/**
 * Reads what a profile shows beside the posts.
 */
@Component
class ProfileReader {

	private final UsernameRepository usernames;

	private final UserRepository users;

	private final SuspendedAccountsCache suspended;

	private final FollowRepository follows;

	private final AuthorPostListReader authorPosts;

	ProfileReader(UsernameRepository usernames, UserRepository users, SuspendedAccountsCache suspended,
			FollowRepository follows, AuthorPostListReader authorPosts) {
		this.usernames = usernames;
		this.users = users;
		this.suspended = suspended;
		this.follows = follows;
		this.authorPosts = authorPosts;
	}

	/**
	 * The id of the user with this name; empty when there is none. Fails with 404 when
	 * the user is suspended.
	 */
	Mono<String> findId(String username) {
		return this.usernames.findId(username)
			.flatMap((userId) -> this.suspended.contains(userId)
					? ProblemException.notFound(Message.of("user.suspended")) : Mono.just(userId));
	}

	/**
	 * Reads everything concurrently. What is cheap of the relation is read for the user
	 * whom the cookie names, and the rest when the session is known.
	 * @param hidden whom the viewer does not see; empty when the session is not valid
	 */
	Mono<Profile> read(ServerWebExchange exchange, String userId, Mono<HiddenAuthors> hidden) {
		Mono<Optional<Known>> relation = Mono.justOrEmpty(SessionReader.claimedUserId(exchange))
			.filter((viewerId) -> !viewerId.equals(userId))
			.flatMap((viewerId) -> this.follows.relation(viewerId, userId, hidden))
			.flatMap((found) -> this.users.findShown(found.followedBy().first())
				.map((friends) -> Optional.of(new Known(found, friends.stream().map(User::username).toList()))))
			.defaultIfEmpty(Optional.empty());
		return Mono
			.zip(this.users.findById(userId), this.authorPosts.count(userId), this.follows.counts(userId), relation)
			.map(TupleUtils.function((user, posts, counts, known) -> new Profile(user, posts, counts,
					known.map(Known::friends).orElse(List.of()), known.map(Known::relation))));
	}

	/**
	 * How the user whom the cookie names is related to the user of the profile.
	 *
	 * @param friends names of the first of those whom the one follows and who follow the
	 * other
	 */
	private record Known(Relation relation, List<String> friends) {
	}

}
