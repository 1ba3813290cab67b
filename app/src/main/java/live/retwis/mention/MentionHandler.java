package live.retwis.mention;

import live.retwis.export.ExportPart;
import live.retwis.export.PostListExport;
import live.retwis.i18n.Message;
import live.retwis.post.PostListRepository;
import live.retwis.post.PrivateListResponder;
import live.retwis.redis.Keys;
import live.retwis.web.PageTemplate;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.Templates;

import org.springframework.context.annotation.Bean;
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

	@Bean
	static PostListExport mentionsExport(PostListRepository lists) {
		return new PostListExport("mentions", "mentioned_at",
				(userId, after) -> lists.newest(Keys.mentions(userId), after, ExportPart.PAGE));
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get(PATH,
				(request) -> this.pages.show(request, this.page, Message.of("mentions.title"), PATH, Keys::mentions));
	}

}
