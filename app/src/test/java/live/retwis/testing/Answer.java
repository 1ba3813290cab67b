package live.retwis.testing;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.web.util.HtmlUtils;

/**
 * A response of the site.
 *
 * @param status status code
 * @param response the response, with its headers
 * @param body the body as text
 * @param took time from the request to the whole response
 */
public record Answer(int status, HttpResponse<String> response, String body, Duration took) {

	private static final JsonMapper JSON = new JsonMapper();

	/** The first header with this name; empty text for none. */
	public String header(String name) {
		return this.response.headers().firstValue(name).orElse("");
	}

	/** All {@code Set-Cookie} headers. */
	public List<String> cookies() {
		return this.response.headers().allValues("Set-Cookie");
	}

	/** The target of a redirect. */
	public String location() {
		return header("Location");
	}

	public JsonNode json() {
		return JSON.readTree(this.body);
	}

	/** Ids of the articles, in the order of the page. */
	public List<String> postIds() {
		return Pattern.compile("data-post-id=\"([^\"]*)\"")
			.matcher(this.body)
			.results()
			.map((r) -> r.group(1))
			.toList();
	}

	/** The texts of the articles, in the order of the page, as escaped in the markup. */
	public List<String> posts() {
		return Pattern.compile("(?s)<p class=\"post-body\">(.*?)</p>")
			.matcher(this.body)
			.results()
			.map((r) -> r.group(1))
			.toList();
	}

	/** The texts of the articles, in the order of the page, as a person reads them. */
	public List<String> texts() {
		return posts().stream().map((post) -> HtmlUtils.htmlUnescape(post.replaceAll("<[^>]*>", ""))).toList();
	}

	/** The value of the hidden field {@code once} in the page's post form. */
	public String once() {
		return find("name=\"once\" value=\"([^\"]*)\"");
	}

	/** The content of the text area, as a browser would send it back. */
	public String textarea() {
		return HtmlUtils.htmlUnescape(find("(?s)<textarea[^>]*>\n(.*?)</textarea>"));
	}

	/** Error messages beside fields and above forms. */
	public List<String> errors() {
		return Pattern.compile("(?s)<p class=\"(?:error|alert)\"[^>]*>(.*?)</p>")
			.matcher(this.body)
			.results()
			.map((r) -> HtmlUtils.htmlUnescape(r.group(1)))
			.toList();
	}

	/** The address of the next page of the list; empty text on the last page. */
	public String older() {
		Matcher link = Pattern.compile("<a rel=\"next\" href=\"([^\"]*)\"").matcher(this.body);
		return link.find() ? HtmlUtils.htmlUnescape(link.group(1)) : "";
	}

	/** The first group of the first match of a pattern. */
	public String find(String regex) {
		Matcher matcher = Pattern.compile(regex).matcher(this.body);
		if (!matcher.find()) {
			throw new AssertionError("no " + regex + " in " + this.body);
		}
		return matcher.group(1);
	}

	/** What a list of people says of a user. */
	public String entryOf(Visitor user) {
		return find("(<li><a class=\"author\" href=\"/@" + user.name() + "\".*?</li>)");
	}

	/** The address of the page's stream. */
	public String live() {
		return find("data-live=\"([^\"]*)\"").replace("&#x3D;", "=").replace("&amp;", "&");
	}

}
