package live.retwis.web;

import org.jspecify.annotations.Nullable;

import org.springframework.web.reactive.function.server.ServerRequest;

/**
 * What a public page tells other sites about itself (Open Graph), and its feed.
 *
 * @param url absolute address of the page
 * @param type type of the page in Open Graph, such as {@code profile}
 * @param description what the page is about; null when its template says so
 * @param feed absolute address of its Atom feed; null when it has none
 * @param image absolute address of a picture; null for none
 */
public record OpenGraphCard(String url, String type, @Nullable String description, @Nullable String feed,
		@Nullable String image) {

	/** Most characters of a description. */
	private static final int LONGEST = 200;

	/** The card of a page that has a feed below its own path. */
	public static OpenGraphCard withFeed(ServerRequest request, String path, String type,
			@Nullable String description) {
		return new OpenGraphCard(absolute(request, path), type, description, absolute(request, path + "/feed"), null);
	}

	/** The card of a page with a text. Only the beginning of a long text is shown. */
	public static OpenGraphCard withText(ServerRequest request, String path, String type, String text) {
		return new OpenGraphCard(absolute(request, path), type, beginning(text.replaceAll("\\s+", " "), LONGEST), null,
				null);
	}

	/** The card of a user's page, which has the picture that the user has uploaded. */
	public OpenGraphCard of(ServerRequest request, Avatar avatar) {
		return (avatar.picture() == null) ? this : new OpenGraphCard(this.url, this.type, this.description, this.feed,
				absolute(request, avatar.picture()));
	}

	/**
	 * Absolute address of a path of this site, at the host that the client has asked.
	 */
	public static String absolute(ServerRequest request, String path) {
		return request.uri().resolve(path).toString();
	}

	/** The text, cut if it is longer than this many characters. */
	public static String beginning(String text, int longest) {
		return (text.codePointCount(0, text.length()) <= longest) ? text
				: text.substring(0, text.offsetByCodePoints(0, longest - 1)) + "…";
	}

}
