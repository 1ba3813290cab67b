package live.retwis.i18n;

import java.util.List;
import java.util.Locale;
import java.util.Locale.LanguageRange;
import java.util.Optional;

import live.retwis.files.FileChangeListener;
import live.retwis.files.SiteResourceLoader;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Component;

/**
 * The languages of the pages. It also decides the language of each page.
 */
@Component
public class Languages implements FileChangeListener {

	/**
	 * Name of the query parameter that chooses a language, and of the cookie that stores
	 * it.
	 */
	public static final String PARAMETER = "lang";

	/** Header by which a page's script says which language its page has. */
	private static final String OF_PAGE = "Retwis-Language";

	/**
	 * Characters of {@code Accept-Language} that are read. Reading the longest possible
	 * header would take 9 ms.
	 */
	private static final int LONGEST = 200;

	private final Catalogue texts;

	/**
	 * English first, because it is the language of a page for which nobody has chosen
	 * one.
	 */
	private final List<Language> all;

	private final List<Locale> locales;

	Languages(SiteResourceLoader files) {
		this.texts = new Catalogue(files);
		this.locales = this.texts.locales();
		this.all = this.locales.stream().map((locale) -> new Language(locale, this.texts)).toList();
	}

	/** All languages, English first. */
	public List<Language> all() {
		return this.all;
	}

	/** All languages except the given one. */
	public List<Language> others(Language language) {
		return this.all.stream().filter((other) -> other != language).toList();
	}

	/**
	 * The language of a page: the one in its address, else the one of the open page that
	 * fetches it, else the one in the cookie, else the one that the browser prefers.
	 */
	public Language of(ServerHttpRequest request) {
		return chosen(request).or(() -> tagged(request.getHeaders().getFirst(OF_PAGE)))
			.or(() -> kept(request))
			.orElseGet(() -> preferred(request));
	}

	/** The language in the address; empty if it has none, or one that is not known. */
	public Optional<Language> chosen(ServerHttpRequest request) {
		return (request.getURI().getRawQuery() != null) ? tagged(request.getQueryParams().getFirst(PARAMETER))
				: Optional.empty();
	}

	private Optional<Language> kept(ServerHttpRequest request) {
		HttpCookie cookie = request.getCookies().getFirst(PARAMETER);
		return (cookie != null) ? tagged(cookie.getValue()) : Optional.empty();
	}

	private Language preferred(ServerHttpRequest request) {
		String sent = request.getHeaders().getFirst(HttpHeaders.ACCEPT_LANGUAGE);
		if (sent == null) {
			return this.all.get(0);
		}
		String read = (sent.length() <= LONGEST) ? sent : sent.substring(0, sent.lastIndexOf(',', LONGEST - 1) + 1);
		try {
			Locale locale = Locale.lookup(LanguageRange.parse(read), this.locales);
			return this.all.get(Math.max(this.locales.indexOf(locale), 0));
		}
		catch (IllegalArgumentException | IndexOutOfBoundsException malformed) {
			// Java's parser fails in the second way when there is nothing but hyphens.
			return this.all.get(0);
		}
	}

	/** The language with the tag; empty if there is none. */
	public Optional<Language> tagged(@Nullable String tag) {
		return this.all.stream().filter((language) -> language.tag().equals(tag)).findFirst();
	}

	@Override
	public Stage stage() {
		return Stage.TEXTS;
	}

	/**
	 * Reads the texts again. A file for a new language is noticed at the next start only.
	 */
	@Override
	public void filesChanged() {
		this.texts.reload();
	}

}
