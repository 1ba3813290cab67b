package live.retwis.i18n;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

import live.retwis.files.FilesListener;
import live.retwis.files.SiteFiles;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpCookie;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Component;

/**
 * The languages that there are texts in, and which one a page is in.
 */
@Component
public class Languages implements FilesListener {

	/** Name of the query parameter that chooses one, and of the cookie that keeps it. */
	static final String PARAMETER = "lang";

	private final Catalogue texts;

	/** English first: it is what a page is in that nobody chose one for. */
	private final List<Language> all;

	private final List<Locale> locales;

	Languages(SiteFiles files) {
		this.texts = new Catalogue(files);
		this.locales = this.texts.locales();
		this.all = this.locales.stream().map((locale) -> new Language(locale, this.texts)).toList();
	}

	/** All of them, English first. */
	public List<Language> all() {
		return this.all;
	}

	/** All but that one. */
	public List<Language> others(Language language) {
		return this.all.stream().filter((other) -> other != language).toList();
	}

	/**
	 * What a page answers in: what its address says, else what an earlier one said, else
	 * what the browser asks for.
	 */
	public Language of(ServerHttpRequest request) {
		return chosen(request).or(() -> kept(request)).orElseGet(() -> preferred(request));
	}

	/** What the address says; empty when that is nothing, or a language that is none. */
	Optional<Language> chosen(ServerHttpRequest request) {
		return (request.getURI().getRawQuery() != null) ? tagged(request.getQueryParams().getFirst(PARAMETER))
				: Optional.empty();
	}

	private Optional<Language> kept(ServerHttpRequest request) {
		HttpCookie cookie = request.getCookies().getFirst(PARAMETER);
		return (cookie != null) ? tagged(cookie.getValue()) : Optional.empty();
	}

	private Language preferred(ServerHttpRequest request) {
		try {
			Locale locale = Locale.lookup(request.getHeaders().getAcceptLanguage(), this.locales);
			return this.all.get(Math.max(this.locales.indexOf(locale), 0));
		}
		catch (IllegalArgumentException malformed) {
			return this.all.get(0);
		}
	}

	/** By its tag; empty when there is none. */
	public Optional<Language> tagged(@Nullable String tag) {
		return this.all.stream().filter((language) -> language.tag().equals(tag)).findFirst();
	}

	@Override
	public Stage stage() {
		return Stage.TEXTS;
	}

	/** A language that has come or gone does so at the next start. */
	@Override
	public void filesChanged() {
		this.texts.reload();
	}

}
