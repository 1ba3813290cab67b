package live.retwis.bookmark;

import live.retwis.i18n.Message;
import live.retwis.post.PrivateListResponder;
import live.retwis.redis.Keys;
import live.retwis.web.PageTemplate;
import live.retwis.web.RouteContributor;
import live.retwis.web.RouteTable;
import live.retwis.web.Templates;

import org.springframework.stereotype.Component;

/** Serves the posts that the viewer keeps, the latest bookmark first. */
@Component
class BookmarkListHandler implements RouteContributor {

	private static final String PATH = "/bookmarks";

	private final PageTemplate page;

	private final PrivateListResponder pages;

	BookmarkListHandler(Templates templates, PrivateListResponder pages) {
		this.page = templates.page("bookmarks");
		this.pages = pages;
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get(PATH,
				(request) -> this.pages.show(request, this.page, Message.of("bookmark.title"), PATH, Keys::bookmarks));
	}

}
