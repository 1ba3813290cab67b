package live.retwis.atom;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import javax.xml.parsers.DocumentBuilderFactory;

import live.retwis.testing.Answer;
import live.retwis.testing.RawHttp;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

import org.springframework.web.util.HtmlUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Atom feeds, read with an XML parser as a feed reader does.
 */
class FeedTests {

	private final Site site = Site.shared();

	private final Visitor ada = Visitor.registered(this.site);

	private final Visitor reader = Visitor.of(this.site);

	private static Element parse(String xml) {
		try {
			DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
			factory.setNamespaceAware(true);
			factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
			Document document = factory.newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
			Element feed = document.getDocumentElement();
			assertThat(feed.getNamespaceURI()).isEqualTo("http://www.w3.org/2005/Atom");
			assertThat(feed.getLocalName()).isEqualTo("feed");
			return feed;
		}
		catch (Exception ex) {
			throw new AssertionError(xml, ex);
		}
	}

	/** The texts of all elements with this name below the element. */
	private static List<String> texts(Element element, String name) {
		List<String> texts = new ArrayList<>();
		NodeList found = element.getElementsByTagName(name);
		for (int i = 0; i < found.getLength(); i++) {
			texts.add(found.item(i).getTextContent());
		}
		return texts;
	}

	private static String link(Element element, String rel) {
		NodeList links = element.getElementsByTagName("link");
		for (int i = 0; i < links.getLength(); i++) {
			Element link = (Element) links.item(i);
			if (link.getAttribute("rel").equals(rel)) {
				return link.getAttribute("href");
			}
		}
		throw new AssertionError("no link " + rel);
	}

	private static Element entry(Element feed) {
		return (Element) feed.getElementsByTagName("entry").item(0);
	}

	private String path() {
		return "/@" + this.ada.name() + "/feed";
	}

	private Element feed(String path) {
		Answer answer = this.reader.get(path);
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.header("Content-Type")).isEqualTo("application/atom+xml;charset=UTF-8");
		return parse(answer.body());
	}

	@Test
	void aUsersFeedHasTheirNewestTwentyPosts() {
		for (int i = 0; i < 22; i++) {
			this.ada.post("post " + i);
		}
		Element feed = feed(path());
		assertThat(texts(feed, "content")).hasSize(20).startsWith("post 21").endsWith("post 2");
		assertThat(texts(feed, "name")).hasSize(20).containsOnly(this.ada.name());
		assertThat(texts(feed, "id")).doesNotHaveDuplicates().allMatch((id) -> id.startsWith("tag:retwis.live,2026:"));
		assertThat(texts(feed, "updated"))
			.allMatch((time) -> time.matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:[0-9.]+Z"));
		assertThat(texts(feed, "updated").get(0)).as("that of the feed")
			.isEqualTo(texts(entry(feed), "updated").get(0));
	}

	@Test
	void addressesAreAbsoluteAtTheHostThatWasAsked() {
		String id = this.ada.post("hello");
		Element feed = feed(path());
		assertThat(link(feed, "self")).isEqualTo(this.site.url(path()));
		assertThat(link(entry(feed), "alternate")).isEqualTo(this.site.url("/posts/" + id));
		assertThat(RawHttp.get(this.site, path())).contains("<uri>http://localhost/@" + this.ada.name() + "</uri>");
	}

	@Test
	void behindAProxyWithTlsAddressesAreSecureAndIdsAreTheSame() {
		this.ada.post("hello");
		try (Site behind = Site.another("--retwis.proxies=127.0.0.1")) {
			Answer answer = Visitor.of(behind).get(path(), "X-Forwarded-Proto", "https");
			assertThat(link(parse(answer.body()), "self")).isEqualTo("https" + behind.url(path()).substring(4));
			assertThat(texts(parse(answer.body()), "id")).isEqualTo(texts(feed(path()), "id"));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "</content></entry></feed><!--", "]]>", "<![CDATA[", "&amp; &lt;b&gt; &#0; &xxe;",
			"<script>alert(1)</script>", "<?xml version=\"1.0\"?><!DOCTYPE feed [<!ENTITY a \"b\">]>", "\"'`=<>&",
			"two\nlines", "👩‍👩‍👧 漢字 مرحبا", "\uFFFE\uFFFF and\u2028more" })
	void whateverAPostSaysTheFeedCanBeRead(String body) {
		this.ada.post(body);
		Element feed = feed(path());
		String readable = body.replaceAll("[\uFFFE\uFFFF]", "\uFFFD").replace('\u2028', '\n');
		assertThat(HtmlUtils.htmlUnescape(texts(feed, "content").get(0).replace("<br>", "\n"))).isEqualTo(readable);
		assertThat(texts(entry(feed), "title").get(0))
			.isEqualTo("@" + this.ada.name() + ": " + readable.replace('\n', ' '));
	}

	@Test
	void aLongPostHasAShortTitle() {
		this.ada.post("😀".repeat(280));
		Element feed = feed(path());
		assertThat(texts(entry(feed), "title").get(0)).endsWith("😀…").hasSizeLessThan(2 * 80);
		assertThat(texts(feed, "content")).containsExactly("😀".repeat(280));
	}

	@Test
	void aRepostIsAnEntryOfItsOwnThatNamesTheAuthor() {
		Visitor bob = Visitor.registered(this.site);
		String id = bob.post("from Bob");
		this.ada.get("/home");
		assertThat(this.ada.submit("/posts/" + id + "/repost").status()).isEqualTo(303);
		Awaitility.await("the repost").until(() -> !texts(feed(path()), "content").isEmpty());
		Element feed = feed(path());
		assertThat(texts(feed, "name")).containsExactly(bob.name());
		assertThat(texts(entry(feed), "id").get(0))
			.isNotEqualTo(texts(entry(feed("/@" + bob.name() + "/feed")), "id").get(0));
	}

	@Test
	void aTagHasAFeedAlsoWhenNoPostHasIt() {
		String tag = "t" + this.ada.name();
		assertThat(texts(feed("/tags/" + tag + "/feed"), "updated")).containsExactly("1970-01-01T00:00:00Z");
		this.ada.post("about #" + tag);
		Element feed = feed("/tags/" + tag + "/feed");
		assertThat(texts(feed, "content")).containsExactly("about #" + tag);
		assertThat(link(feed, "alternate")).isEqualTo(this.site.url("/tags/" + tag));
	}

	@Test
	void aReaderThatHasTheFeedAlreadyIsNotSentItAgain() {
		this.ada.post("one");
		String tag = this.reader.get(path()).header("ETag");
		Answer same = this.reader.get(path(), "If-None-Match", tag);
		assertThat(same.status()).isEqualTo(304);
		assertThat(same.body()).isEmpty();
		assertThat(same.header("ETag")).isEqualTo(tag);
		assertThat(same.header("Cache-Control")).isEqualTo("no-cache");
		this.ada.post("two");
		assertThat(this.reader.get(path(), "If-None-Match", tag).status()).isEqualTo(200);
	}

	@Test
	void aFeedIsTheSameForEverybodyAndSetsNoCookie() {
		this.ada.post("hello");
		Answer own = this.ada.get(path());
		assertThat(own.body()).isEqualTo(this.reader.get(path()).body());
		assertThat(own.cookies()).isEmpty();
	}

	@Test
	void anUnknownUserHasNoFeedAndAnotherSpellingLeadsToTheName() {
		assertThat(this.reader.get("/@" + Visitor.freshName() + "/feed").status()).isEqualTo(404);
		assertThat(
				this.reader.get(path().replace(this.ada.name(), this.ada.name().toUpperCase(Locale.ROOT))).location())
			.isEqualTo(path());
	}

	@Test
	void pagesNameTheirFeeds() {
		assertThat(this.reader.get("/@" + this.ada.name())
			.find("<link rel=\"alternate\" type=\"application/atom\\+xml\" title=\"[^\"]*\" href=\"([^\"]*)\">"))
			.isEqualTo(this.site.url(path()));
		assertThat(this.reader.get("/tags/x").body()).contains("href=\"" + this.site.url("/tags/x/feed") + "\"");
		assertThat(this.reader.get("/timeline").body()).doesNotContain("application/atom+xml");
	}

}
