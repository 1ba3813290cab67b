package live.retwis.i18n;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.HttpCookie;
import org.springframework.http.server.reactive.ServerHttpRequest;

/**
 * A language of the pages. Texts are written in English where they belong, in templates
 * and handlers; {@code templates/words/<tag>.json} has what they are in another language.
 */
public enum Language {

	/** English, as everything is written. */
	EN,
	/** Chinese, simplified. */
	ZH;

	/** Name of the query parameter that chooses one, and of the cookie that keeps it. */
	static final String PARAMETER = "lang";

	private static final List<Locale> LOCALES = List.of(EN.locale(), ZH.locale());

	private final Map<String, String> words = (ordinal() > 0) ? read() : Map.of();

	/**
	 * What a page answers in: what its address says, else what an earlier one said, else
	 * what the browser asks for.
	 */
	public static Language of(ServerHttpRequest request) {
		return chosen(request).or(() -> kept(request)).orElseGet(() -> preferred(request));
	}

	/** What the address says; empty when that is nothing, or a language that is none. */
	static Optional<Language> chosen(ServerHttpRequest request) {
		return (request.getURI().getRawQuery() != null) ? tagged(request.getQueryParams().getFirst(PARAMETER))
				: Optional.empty();
	}

	private static Optional<Language> kept(ServerHttpRequest request) {
		HttpCookie cookie = request.getCookies().getFirst(PARAMETER);
		return (cookie != null) ? tagged(cookie.getValue()) : Optional.empty();
	}

	private static Language preferred(ServerHttpRequest request) {
		try {
			Locale locale = Locale.lookup(request.getHeaders().getAcceptLanguage(), LOCALES);
			return (locale != null) ? tagged(locale.getLanguage()).orElse(EN) : EN;
		}
		catch (IllegalArgumentException malformed) {
			return EN;
		}
	}

	private static Optional<Language> tagged(@Nullable String tag) {
		for (Language language : values()) {
			if (language.toString().equals(tag)) {
				return Optional.of(language);
			}
		}
		return Optional.empty();
	}

	/** For dates and numbers. */
	public Locale locale() {
		return Locale.forLanguageTag(toString());
	}

	/** A text that is written in English; that itself where this language lacks it. */
	public String say(String english) {
		return this.words.getOrDefault(english, english);
	}

	/** Whether {@link #say} knows a text. */
	public boolean knows(String english) {
		return this == EN || this.words.containsKey(english);
	}

	private Map<String, String> read() {
		String file = "/templates/words/" + this + ".json";
		try (InputStream in = Language.class.getResourceAsStream(file)) {
			if (in == null) {
				throw new IllegalStateException("there is no " + file.substring(1));
			}
			return Map.copyOf(JsonMapper.shared().readValue(in, new TypeReference<Map<String, String>>() {
			}));
		}
		catch (IOException ex) {
			throw new IllegalStateException(file.substring(1) + ": " + ex.getMessage(), ex);
		}
	}

	/** As in {@code <html lang>}. */
	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT);
	}

}
