package live.retwis.mention;

import live.retwis.i18n.Message;
import live.retwis.post.PrivateListResponder;
import live.retwis.redis.Keys;
import live.retwis.web.PageTemplate;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.Templates;

import org.springframework.stereotype.Component;

/** Serves the posts that mention the viewer or reply to the viewer's posts. */
@Component
class MentionHandler implements RouteContributor {

	private static final String PATH = "/mentions";

	private final PageTemplate page;

	private final PrivateListResponder pages;

	MentionHandler(Templates templates, PrivateListResponder pages) {
		this.page = templates.page("mentions");
		this.pages = pages;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get(PATH,
				(request) -> this.pages.show(request, this.page, Message.of("mentions.title"), PATH, Keys::mentions));
	}

}
