package live.retwis.atom;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

import live.retwis.post.PostListPage;
import live.retwis.post.RenderedPost;
import live.retwis.web.ETagResponse;
import live.retwis.web.LanguageFreeTemplate;
import live.retwis.web.OpenGraphCard;
import live.retwis.web.Templates;
import live.retwis.web.TimeFormat;
import reactor.core.publisher.Mono;

import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.util.HtmlUtils;

/**
 * Writes feeds. The id of a feed or an entry contains no address of the site, so it stays
 * the same when the site moves to another host or to TLS.
 */
@Component
public class AtomFeed {

	/** Most entries of a feed. */
	public static final int ENTRIES = 20;

	private static final MediaType ATOM = new MediaType(MediaType.APPLICATION_ATOM_XML, StandardCharsets.UTF_8);

	private static final String ID = "tag:retwis.live,2026:";

	/** Most characters of an entry's title. */
	private static final int TITLE = 80;

	/** Characters that an XML document cannot contain, not even as a reference. */
	private static final Pattern NOT_XML = Pattern
		.compile("[^\\t\\n\\r\\x{20}-\\x{D7FF}\\x{E000}-\\x{FFFD}\\x{10000}-\\x{10FFFF}]");

	private final LanguageFreeTemplate template;

	AtomFeed(Templates templates) {
		this.template = templates.languageFree("feed");
	}

	/**
	 * The feed of a page.
	 * @param id what the page is about, in a form that never changes
	 * @param path path of the page; the feed is below it
	 * @param since when an empty feed was updated, in ms since the epoch
	 * @param posts the newest posts
	 */
	public Mono<ServerResponse> of(ServerRequest request, String id, String title, String path, long since,
			PostListPage posts) {
		List<Entry> entries = posts.posts().stream().map((post) -> Entry.of(request, post)).toList();
		String updated = entries.isEmpty() ? TimeFormat.iso(since) : entries.get(0).updated();
		String xml = this.template.execute(new Feed(ID + id, title, OpenGraphCard.absolute(request, path + "/feed"),
				OpenGraphCard.absolute(request, path), updated, entries));
		byte[] bytes = NOT_XML.matcher(xml).replaceAll("\uFFFD").getBytes(StandardCharsets.UTF_8);
		return ETagResponse.of(request, ETagResponse.tag(bytes), CacheControl.noCache(),
				() -> ServerResponse.ok().contentType(ATOM).contentLength(bytes.length).bodyValue(bytes));
	}

	private record Feed(String id, String title, String self, String page, String updated, List<Entry> entries) {
	}

	/**
	 * A post in a feed.
	 *
	 * @param id id of the entry
	 * @param title who wrote it, and the beginning of its text
	 * @param address address of the post
	 * @param author username of its author
	 * @param authorPage address of the author's profile
	 * @param updated when it was posted, or reposted
	 * @param html its text as HTML
	 */
	private record Entry(String id, String title, String address, String author, String authorPage, String updated,
			String html) {

		static Entry of(ServerRequest request, RenderedPost shown) {
			String author = shown.post().author();
			String body = shown.post().body();
			return new Entry(ID + "post:" + shown.listed().id(),
					OpenGraphCard.beginning("@" + author + ": " + body.replaceAll("\\s+", " "), TITLE),
					OpenGraphCard.absolute(request, "/posts/" + shown.post().id()), author,
					OpenGraphCard.absolute(request, "/@" + author), TimeFormat.iso(shown.listed().created()),
					HtmlUtils.htmlEscape(body).replace("\n", "<br>"));
		}

	}

}
