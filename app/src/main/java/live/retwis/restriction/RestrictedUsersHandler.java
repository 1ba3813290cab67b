package live.retwis.restriction;

import java.util.List;
import java.util.Optional;

import live.retwis.account.ListedPerson;
import live.retwis.account.PeoplePageReader;
import live.retwis.account.PeoplePageReader.PeoplePage;
import live.retwis.account.SessionReader;
import live.retwis.i18n.Localized;
import live.retwis.web.HtmlResponses;
import live.retwis.web.PageFrame;
import live.retwis.web.PageFrames;
import live.retwis.web.PageTemplate;
import live.retwis.web.PageView;
import live.retwis.web.PersonView;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.Templates;
import live.retwis.web.Viewer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Serves the lists of the users whom the viewer has muted, and blocked. */
@Component
class RestrictedUsersHandler implements RouteContributor {

	private final PageTemplate page;

	private final PageFrames frames;

	private final SessionReader sessions;

	private final PeoplePageReader pages;

	private final RestrictedUsersPageReader restricted;

	RestrictedUsersHandler(Templates templates, PageFrames frames, SessionReader sessions, PeoplePageReader pages,
			RestrictedUsersPageReader restricted) {
		this.page = templates.page("restricted");
		this.frames = frames;
		this.sessions = sessions;
		this.pages = pages;
		this.restricted = restricted;
	}

	@Override
	public void addTo(RouteTable routes) {
		for (Restriction restriction : Restriction.values()) {
			routes.get(path(restriction), (request) -> list(request, restriction));
		}
	}

	private static String path(Restriction restriction) {
		return "/settings/" + restriction.list();
	}

	private Mono<ServerResponse> list(ServerRequest request, Restriction restriction) {
		return this.sessions.signedIn(request, (session) -> list(request, session.viewer(), restriction));
	}

	private Mono<ServerResponse> list(ServerRequest request, Viewer viewer, Restriction restriction) {
		Optional<Viewer> follower = HtmlResponses.wantsJson(request) ? Optional.of(viewer) : Optional.empty();
		return this.pages
			.of(request, follower, (userId) -> false, restriction.key(viewer.id()), path(restriction),
					(before, count) -> this.restricted.page(restriction, viewer.id(), before, count))
			.flatMap((people) -> HtmlResponses.wantsJson(request) ? ServerResponse.ok().bodyValue(people.json())
					: this.frames.withForms(request.exchange(), restriction.texts().title(), viewer)
						.flatMap((frame) -> HtmlResponses.page(this.page, View.of(frame, restriction, people))));
	}

	private record View(PageFrame frame, Localized heading, Localized text, Localized empty, Localized undo,
			String undoAction, List<PersonView> people, @Nullable String older,
			@Nullable String newest) implements PageView {

		static View of(PageFrame frame, Restriction restriction, PeoplePage people) {
			Restriction.Texts texts = restriction.texts();
			return new View(frame, texts.title(), texts.text(), texts.empty(), texts.undo(), restriction.action(false),
					people.people().stream().map(ListedPerson::person).toList(), people.older(), people.newest());
		}

	}

}
