package live.retwis.account;

import java.util.function.UnaryOperator;

import live.retwis.web.SignInRedirect;
import live.retwis.web.SiteMap;
import live.retwis.web.SiteRoutes;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Serves the page on which users manage their own account. */
@Component
class SettingsHandler implements SiteRoutes {

	private final SettingsPage page;

	private final Sessions sessions;

	SettingsHandler(SettingsPage page, Sessions sessions) {
		this.page = page;
		this.sessions = sessions;
	}

	@Override
	public void addTo(SiteMap site) {
		site.get(SettingsPage.PATH, this::settings);
	}

	private Mono<ServerResponse> settings(ServerRequest request) {
		return this.sessions.of(request.exchange())
			.flatMap((viewer) -> this.page.show(request, ServerResponse.ok(), viewer, UnaryOperator.identity()))
			.switchIfEmpty(Mono.defer(() -> SignInRedirect.first(request)));
	}

}
