package live.retwis.profile;

import java.net.URI;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.annotation.JsonProperty;
import live.retwis.account.User;
import live.retwis.follow.FollowRepository.Relation;
import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.post.PostDto;
import live.retwis.post.TextPartView;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.restriction.HiddenAuthors;
import live.retwis.restriction.ViewerAwarePageReader;
import live.retwis.timeline.TimelinePage;
import live.retwis.timeline.TimelinePageReader;
import live.retwis.web.Avatar;
import live.retwis.web.CursorParameter;
import live.retwis.web.HtmlResponses;
import live.retwis.web.OpenGraphCard;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.ProblemException;
import live.retwis.web.RenderedMarkup;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.Templates;
import live.retwis.web.TimeFormat;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Serves a user's profile: the user, how the viewer is related to them, and their own
 * posts.
 */
@Component
class ProfileHandler implements RouteContributor {

	private static final int PAGE = 20;

	private static final int LONGEST_QUERY = 500;

	private final PageTemplate page;

	private final PageFrames frames;

	private final ViewerAwarePageReader viewers;

	private final ProfileReader profiles;

	private final TimelinePageReader timelines;

	ProfileHandler(Templates templates, PageFrames frames, ViewerAwarePageReader viewers, ProfileReader profiles,
			TimelinePageReader timelines) {
		this.page = templates.page("profile");
		this.frames = frames;
		this.viewers = viewers;
		this.profiles = profiles;
		this.timelines = timelines;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes
			.get("/@{username}", RateLimit.OLDER_PAGES,
					(request) -> CursorParameter.isGiven(request) && this.timelines.isArchiveUsed(), this::profile)
			.counting(RateLimit.RELATIONS);
	}

	private Mono<ServerResponse> profile(ServerRequest request) {
		String name = request.pathVariable("username");
		return this.profiles.findId(name).flatMap((userId) -> {
			Optional<Cursor> before = CursorParameter.of(request, Keys.postsOf(userId));
			return this.viewers
				.readFor(request.exchange(),
						(known) -> this.timelines.postsOf(userId, before, PAGE,
								known.map(ViewerAwarePageReader.Known::hidden).defaultIfEmpty(HiddenAuthors.NOBODY),
								this.profiles.read(request.exchange(), userId,
										known.map(ViewerAwarePageReader.Known::hidden))))
				.flatMap((read) -> name.equals(read.page().beside().user().username())
						? show(request, read, before.isPresent()) : asRegistered(request, read.page().beside()));
		}).switchIfEmpty(ProblemException.notFound(Message.of("user.missing")));
	}

	/**
	 * Redirects to the address that has the name as it was registered. A long query is
	 * left out, because load balancers take only so much for the head of an answer.
	 */
	private static Mono<ServerResponse> asRegistered(ServerRequest request, Profile profile) {
		String query = request.uri().getRawQuery();
		return ServerResponse.status(HttpStatus.MOVED_PERMANENTLY)
			.location(URI
				.create(path(profile.user()) + ((query != null && query.length() <= LONGEST_QUERY) ? "?" + query : "")))
			.build();
	}

	private Mono<ServerResponse> show(ServerRequest request, ViewerAwarePageReader.Read<TimelinePage<Profile>> read,
			boolean older) {
		TimelinePage<Profile> timeline = read.page();
		Profile profile = timeline.beside();
		Optional<Relation> relation = read.viewer().flatMap((viewer) -> profile.relation());
		if (HtmlResponses.wantsJson(request)) {
			return ServerResponse.ok().bodyValue(Json.of(timeline, relation));
		}
		RenderedMarkup posts = timeline.posts().markup();
		User user = profile.user();
		String path = path(user);
		boolean blocked = read.hidden().blocked().contains(user.id());
		return this.frames
			.of(request.exchange(), Localized.verbatim("@" + user.username()), read.viewer(),
					(older || blocked) ? null : timeline.live("/live/@" + user.username()))
			.flatMap((frame) -> HtmlResponses.page(this.page,
					new View(frame, card(request, user), UserView.of(profile),
							read.viewer().filter((viewer) -> viewer.id().equals(user.id())).isPresent(),
							relation.map((found) -> RelationView.of(found, profile.friends())).orElse(null),
							read.hidden().muted().contains(user.id()), blocked, posts,
							timeline.posts().olderAddress(path), older ? path : null, profile.posts().archived()),
					posts));
	}

	private static OpenGraphCard card(ServerRequest request, User user) {
		return OpenGraphCard.withFeed(request, path(user), "profile", user.bio().isEmpty() ? user.name() : user.bio())
			.of(request, user.avatar());
	}

	private static String path(User user) {
		return "/@" + user.username();
	}

	/** A profile for programs. */
	private record Json(UserJson user, List<PostDto> posts, @Nullable String older) {

		static Json of(TimelinePage<Profile> timeline, Optional<Relation> relation) {
			return new Json(UserJson.of(timeline.beside(), relation), timeline.posts().json().posts(),
					timeline.posts().older());
		}

	}

	private record UserJson(String username, String name, String bio, @Nullable String picture,
			@JsonProperty("created_at") String createdAt, long posts, long followers, long following,
			@Nullable RelationJson relation) {

		static UserJson of(Profile profile, Optional<Relation> relation) {
			User user = profile.user();
			return new UserJson(user.username(), user.name(), user.bio(), user.avatar().picture(),
					TimeFormat.iso(user.created()), profile.posts().posts(), profile.counts().followers(),
					profile.counts().following(),
					relation.map((found) -> RelationJson.of(found, profile.friends())).orElse(null));
		}

	}

	/**
	 * How the viewer is related to the user, for programs.
	 *
	 * @param bothFollow how many users both of them follow
	 * @param followedBy names of some users whom the viewer follows and who follow the
	 * user; all of them are at {@code /@{username}/common}
	 * @param followedByCount how many these are together
	 */
	private record RelationJson(boolean following, @JsonProperty("follows_you") boolean followsYou,
			@JsonProperty("both_follow") int bothFollow, @JsonProperty("followed_by") List<String> followedBy,
			@JsonProperty("followed_by_count") int followedByCount) {

		static RelationJson of(Relation relation, List<String> friends) {
			return new RelationJson(relation.following(), relation.followsYou(), relation.bothFollow(), friends,
					relation.followedBy().count());
		}

	}

	private record UserView(String id, String username, String name, List<TextPartView> parts, Avatar avatar,
			String since, Localized sinceText, Count posts, Count followers, Count following) {

		static UserView of(Profile profile) {
			User user = profile.user();
			return new UserView(user.id(), user.username(), user.name(), TextPartView.of(user.bio()), user.avatar(),
					TimeFormat.iso(user.created()), TimeFormat.day(user.created()),
					new Count(profile.posts().posts(), Message.of("profile.count-posts", profile.posts().posts())),
					new Count(profile.counts().followers(),
							Message.of("profile.count-followers", profile.counts().followers())),
					new Count(profile.counts().following(),
							Message.of("profile.count-following", profile.counts().following())));
		}

	}

	private record Count(long number, Localized what) {
	}

	/**
	 * How the viewer is related to the user.
	 *
	 * @param following whether the viewer follows the user
	 * @param followsYou whether the user follows the viewer
	 * @param bothFollow says how many users both of them follow; null for none
	 * @param followedBy names users whom the viewer follows and who follow the user; null
	 * for none
	 */
	private record RelationView(boolean following, boolean followsYou, @Nullable Localized bothFollow,
			@Nullable Localized followedBy) {

		static RelationView of(Relation relation, List<String> friends) {
			return new RelationView(relation.following(), relation.followsYou(),
					(relation.bothFollow() > 0) ? Message.of("profile.both-follow", relation.bothFollow()) : null,
					(relation.followedBy().count() > 0) ? followedBy(relation.followedBy().count(), friends) : null);
		}

		/** Names nobody when one of the first has deleted the account meanwhile. */
		private static Localized followedBy(int count, List<String> friends) {
			if (friends.size() < Math.min(count, 2)) {
				return Message.of("profile.followed-by", count);
			}
			return switch (count) {
				case 1 -> Message.of("profile.followed-by-one", friends.get(0));
				case 2 -> Message.of("profile.followed-by-two", friends.get(0), friends.get(1));
				default -> Message.of("profile.followed-by-many", friends.get(0), friends.get(1), count - 2);
			};
		}

	}

	private record View(PageFrame frame, OpenGraphCard card, UserView user, boolean isMe,
			@Nullable RelationView relation, boolean muted, boolean blocked, RenderedMarkup posts,
			@Nullable String older, @Nullable String newest, boolean archived) implements PageView {
	}

}
