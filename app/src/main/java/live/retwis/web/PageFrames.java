package live.retwis.web;

import java.util.List;
import java.util.Optional;

import live.retwis.archive.OlderPostsAbsence;
import live.retwis.i18n.Language;
import live.retwis.i18n.Languages;
import live.retwis.i18n.Localized;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpMethod;
import org.springframework.security.web.server.csrf.CsrfToken;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.UriUtils;

/**
 * Makes the frame of a page. The frame has a CSRF token only where the page has forms, so
 * reading the public timeline sets no cookie.
 */
@Component
public class PageFrames {

	/** Name of the attribute of a request that has the address of its page's stream. */
	private static final String STREAM = PageFrames.class.getName() + ".stream";

	/** Name of the attribute of a request that has the position of its page. */
	private static final String POSITION = PageFrames.class.getName() + ".position";

	/** A stream with this position tells its page that it may have missed something. */
	private static final String UNKNOWN = "0-0";

	private final Viewers viewers;

	private final Languages languages;

	private final StaticFiles files;

	private final long heartbeat;

	private final List<FooterLink> links;

	/** Those of them that not everybody sees. */
	private final List<FooterLink> personalLinks;

	PageFrames(Viewers viewers, Languages languages, StaticFiles files, HeartbeatProperties heartbeat,
			ObjectProvider<FooterLink> links) {
		this.viewers = viewers;
		this.languages = languages;
		this.files = files;
		this.heartbeat = heartbeat.heartbeat().toMillis();
		this.links = links.orderedStream().toList();
		this.personalLinks = this.links.stream().filter((link) -> !link.isFor(Optional.empty())).toList();
	}

	/** The frame of a page whose forms signed-out visitors see too. */
	public Mono<PageFrame> withForms(ServerWebExchange exchange, Localized title, @Nullable Viewer viewer) {
		return (viewer != null) ? signedIn(exchange, title, viewer, null)
				: csrf(exchange).map((token) -> frame(exchange, title, null, token, null));
	}

	/**
	 * The frame of a page that has no stream, and whose forms only a signed-in viewer
	 * sees. Reads who that is.
	 */
	public Mono<PageFrame> of(ServerWebExchange exchange, Localized title) {
		return this.viewers.of(exchange).singleOptional().flatMap((viewer) -> of(exchange, title, viewer, null));
	}

	/** The same for a viewer who is known, with the address of the page's stream. */
	public Mono<PageFrame> of(ServerWebExchange exchange, Localized title, Optional<Viewer> viewer,
			@Nullable String live) {
		return viewer.isPresent() ? signedIn(exchange, title, viewer.get(), live)
				: Mono.just(frame(exchange, title, null, null, live));
	}

	private Mono<PageFrame> signedIn(ServerWebExchange exchange, Localized title, Viewer viewer,
			@Nullable String live) {
		Mono<Viewer> known = exchange.getRequest().getMethod().equals(HttpMethod.POST) && !viewer.unreadKnown()
				? this.viewers.withUnread(viewer) : Mono.just(viewer);
		return Mono.zip(csrf(exchange), known, (token, reader) -> frame(exchange, title, reader, token, live));
	}

	/**
	 * Whether the query of a request says nothing, except for the language. Such a page
	 * may have the frame of {@link #signedOut}, because that knows no query.
	 */
	public static boolean isPlain(ServerWebExchange exchange) {
		return PageAddress.of(exchange).without(Languages.PARAMETER).query().isEmpty();
	}

	/**
	 * Whether a page may have the frame of {@link #signedIn}: its request
	 * {@linkplain #isPlain is plain}, it misses no older posts, and its viewer sees no
	 * link at its foot that others do not see.
	 */
	public boolean isCommon(ServerWebExchange exchange, Viewer viewer) {
		return isPlain(exchange) && !OlderPostsAbsence.isNoted(exchange.getAttributes())
				&& this.personalLinks.stream().noneMatch((link) -> link.isFor(Optional.of(viewer)));
	}

	/**
	 * A frame for every signed-out visitor of the address who reads the language, if the
	 * request {@linkplain #isPlain is plain}.
	 */
	public PageFrame signedOut(Language language, String path, Localized title, @Nullable String live) {
		return frame(language, title, null, null, loginUrl(path), live, UNKNOWN, false, PageAddress.HERE);
	}

	/**
	 * A frame for every signed-in visitor who reads the language, if the page
	 * {@linkplain #isCommon is a common one}. It depends on the arguments only.
	 */
	public PageFrame signedIn(Language language, Localized title, Viewer viewer, String csrf, @Nullable String live) {
		return frame(language, title, viewer, csrf, "/login", live, UNKNOWN, false, PageAddress.HERE);
	}

	private PageFrame frame(ServerWebExchange exchange, Localized title, @Nullable Viewer viewer, @Nullable String csrf,
			@Nullable String live) {
		if (live != null) {
			exchange.getAttributes().put(STREAM, live);
		}
		return frame(language(exchange), title, viewer, csrf, loginUrl(exchange), live,
				exchange.getAttributeOrDefault(POSITION, UNKNOWN), OlderPostsAbsence.isNoted(exchange.getAttributes()),
				PageAddress.of(exchange));
	}

	private PageFrame frame(Language language, Localized title, @Nullable Viewer viewer, @Nullable String csrf,
			String loginUrl, @Nullable String live, String position, boolean olderAway, PageAddress address) {
		return new PageFrame(language, title, this.files.prefix(language), viewer, csrf, loginUrl, live, position,
				olderAway, this.heartbeat, this.languages.others(language), this.links, address);
	}

	/**
	 * Address of the log-in page. After signing in, the visitor comes back to the address
	 * of this request.
	 */
	public static String loginUrl(ServerWebExchange exchange) {
		String path = exchange.getRequest().getURI().getRawPath();
		String query = exchange.getRequest().getURI().getRawQuery();
		return loginUrl((query != null) ? path + "?" + query : path);
	}

	private static String loginUrl(String here) {
		return ReturnAddress.isInside(here) && !here.equals("/") && !here.startsWith("/login")
				? "/login?next=" + UriUtils.encode(here, "UTF-8") : "/login";
	}

	/** The language in which the request is answered. */
	public Language language(ServerWebExchange exchange) {
		return this.languages.of(exchange.getRequest());
	}

	/**
	 * The address of the stream of the page that answers a request; empty when the page
	 * has none, or is a prepared one for {@linkplain #isPlain plain} requests.
	 */
	public static Optional<String> stream(ServerWebExchange exchange) {
		return Optional.ofNullable(exchange.getAttribute(STREAM));
	}

	/**
	 * Notes the position of the log before anything is read for the page that answers a
	 * request.
	 */
	public static void readAfter(ServerWebExchange exchange, String position) {
		exchange.getAttributes().put(POSITION, position);
	}

	/** The CSRF token for the page's forms; an empty text when the request has none. */
	public static Mono<String> csrf(ServerWebExchange exchange) {
		Mono<CsrfToken> token = exchange.getAttribute(CsrfToken.class.getName());
		return (token != null) ? token.map(CsrfToken::getToken) : Mono.just("");
	}

}
