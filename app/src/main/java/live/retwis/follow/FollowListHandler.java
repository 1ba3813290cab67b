package live.retwis.follow;

import java.util.List;
import java.util.function.Function;

import live.retwis.account.ListedPerson;
import live.retwis.account.PeoplePageReader.PeoplePage;
import live.retwis.account.PeoplePageReader;
import live.retwis.account.User;
import live.retwis.account.UsernameRepository;
import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.redis.Keys;
import live.retwis.restriction.ViewerAwarePageReader;
import live.retwis.web.Avatar;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.SignInRedirect;
import live.retwis.web.Templates;
import live.retwis.web.TimeFormat;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Serves the pages that list a user's followers, the users whom a user follows, and those
 * whom the viewer follows and who follow the user. For the last one, all whom the viewer
 * follows are looked up, so it is limited like a search.
 */
@Component
class FollowListHandler implements RouteContributor {

	private final PageTemplate page;

	private final PageFrames frames;

	private final ViewerAwarePageReader viewers;

	private final UsernameRepository usernames;

	private final FollowRepository follows;

	private final PeoplePageReader pages;

	FollowListHandler(Templates templates, PageFrames frames, ViewerAwarePageReader viewers,
			UsernameRepository usernames, FollowRepository follows, PeoplePageReader pages) {
		this.page = templates.page("people");
		this.frames = frames;
		this.viewers = viewers;
		this.usernames = usernames;
		this.follows = follows;
		this.pages = pages;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get("/@{username}/followers", (request) -> list(request, PeopleList.FOLLOWERS))
			.get("/@{username}/following", (request) -> list(request, PeopleList.FOLLOWING))
			.get("/@{username}/common", RateLimit.SEARCHES, this::common);
	}

	private Mono<ServerResponse> common(ServerRequest request) {
		return read(request).flatMap((read) -> read.viewer().isEmpty() ? SignInRedirect.first(request)
				: list(request, read, PeopleList.COMMON));
	}

	private Mono<ServerResponse> list(ServerRequest request, PeopleList list) {
		return read(request).flatMap((read) -> list(request, read, list));
	}

	/** The user whose list it is, and who wants to see it. */
	private Mono<ViewerAwarePageReader.Read<User>> read(ServerRequest request) {
		return this.viewers.read(request.exchange(),
				(hidden) -> this.usernames.requireUser(request.pathVariable("username")));
	}

	private Mono<ServerResponse> list(ServerRequest request, ViewerAwarePageReader.Read<User> read, PeopleList list) {
		User user = read.page();
		return people(request, read, list)
			.flatMap((people) -> HtmlResponses.wantsJson(request) ? ServerResponse.ok().bodyValue(people.json())
					: this.frames.of(request.exchange(), list.title.apply(user.username()), read.viewer(), null)
						.flatMap((frame) -> HtmlResponses.page(this.page, view(frame, user, list, people))));
	}

	private Mono<PeoplePage> people(ServerRequest request, ViewerAwarePageReader.Read<User> read, PeopleList list) {
		User user = read.page();
		String path = "/@" + user.username() + list.path;
		return switch (list) {
			case FOLLOWERS -> page(request, read, Keys.followers(user.id()), path,
					(before, count) -> this.follows.followers(user.id(), before, count));
			case FOLLOWING -> page(request, read, Keys.following(user.id()), path,
					(before, count) -> this.follows.following(user.id(), before, count));
			case COMMON -> page(request, read, Keys.following(read.viewer().orElseThrow().id()) + path, path,
					(before, count) -> this.follows.common(read.viewer().orElseThrow().id(), user.id(), before, count));
		};
	}

	private Mono<PeoplePage> page(ServerRequest request, ViewerAwarePageReader.Read<User> read, String key, String path,
			PeoplePageReader.PlacesReader list) {
		return this.pages.of(request, read.viewer(), read.hidden()::contains, key, path, list);
	}

	private static PeopleView view(PageFrame frame, User user, PeopleList list, PeoplePage people) {
		return new PeopleView(frame, UserView.of(user), list.heading, people.empty(list.empty.apply(user.username())),
				people.people(), people.older(), people.newest());
	}

	/** The lists, with their texts. */
	private enum PeopleList {

		FOLLOWERS("/followers", Message.of("people.followers"), (name) -> Message.of("people.followers-title", name),
				(name) -> Message.of("people.followers-empty", name)),
		FOLLOWING("/following", Message.of("people.following"), (name) -> Message.of("people.following-title", name),
				(name) -> Message.of("people.following-empty", name)),
		COMMON("/common", Message.of("people.common"), (name) -> Message.of("people.common-title", name),
				(name) -> Message.of("people.common-empty", name));

		private final String path;

		private final Message heading;

		private final Function<String, Message> title;

		private final Function<String, Message> empty;

		PeopleList(String path, Message heading, Function<String, Message> title, Function<String, Message> empty) {
			this.path = path;
			this.heading = heading;
			this.title = title;
			this.empty = empty;
		}

	}

	/** Whose list it is, as on the profile. */
	private record UserView(String username, Avatar avatar, String since, Localized sinceText) {

		static UserView of(User user) {
			return new UserView(user.username(), user.avatar(), TimeFormat.iso(user.created()),
					TimeFormat.day(user.created()));
		}

	}

	private record PeopleView(PageFrame frame, UserView user, Localized heading, Localized empty,
			List<ListedPerson> people, @Nullable String older, @Nullable String newest) implements PageView {
	}

}
