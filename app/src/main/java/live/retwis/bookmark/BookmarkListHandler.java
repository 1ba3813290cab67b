package live.retwis.bookmark;

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

	@Bean
	static PostListExport bookmarksExport(PostListRepository lists) {
		return new PostListExport("bookmarks", "bookmarked_at",
				(userId, after) -> lists.newest(Keys.bookmarks(userId), after, ExportPart.PAGE));
	}

	@Override
	public void addTo(RouteTable routes) {
		routes.get(PATH,
				(request) -> this.pages.show(request, this.page, Message.of("bookmark.title"), PATH, Keys::bookmarks));
	}

}
