package live.retwis.locks.lab.words;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.text.MessageFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The texts of one language, by key. They are {@link MessageFormat}s.
 */
public final class LabWords {

	/** The English texts, which are used where a language has none. */
	public static final LabWords ENGLISH = new LabWords(Locale.ENGLISH, "lab.properties");

	/** All languages that the lab has a file for, English first. */
	public static final List<LabWords> ALL = Stream
		.concat(Stream.of(ENGLISH),
				Stream.of(Locale.getISOLanguages())
					.filter((language) -> LabWords.class.getResource(file(language)) != null)
					.map((language) -> new LabWords(Locale.forLanguageTag(language), file(language))))
		.toList();

	private final Locale locale;

	private final Properties texts = new Properties();

	private LabWords(Locale locale, String file) {
		this.locale = locale;
		try (InputStream in = LabWords.class.getResourceAsStream(file)) {
			this.texts.load(new InputStreamReader(Objects.requireNonNull(in), StandardCharsets.UTF_8));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The program is not whole", ex);
		}
	}

	private static String file(String language) {
		return "lab_" + language + ".properties";
	}

	/** The texts of a language; the English ones where the lab does not have it. */
	public static LabWords of(Locale locale) {
		return ALL.stream()
			.filter((words) -> words.locale.getLanguage().equals(locale.getLanguage()))
			.findFirst()
			.orElse(ENGLISH);
	}

	/** A value in each language, by the tag of the language. */
	public static <T> Map<String, T> inEach(Function<LabWords, T> value) {
		return ALL.stream().collect(Collectors.toMap(LabWords::tag, value));
	}

	/** The tag of the language, as in {@code <html lang>}. */
	public String tag() {
		return this.locale.toLanguageTag();
	}

	/** All keys. */
	public Set<String> keys() {
		return this.texts.stringPropertyNames();
	}

	/** The text with that key; empty when there is none. */
	public Optional<String> find(String key) {
		return Optional.ofNullable(this.texts.getProperty(key));
	}

	/**
	 * A text with its values.
	 * @param values texts, or numbers that choose a plural form
	 * @throws IllegalArgumentException when there is no such key
	 */
	public String text(String key, Object... values) {
		String text = find(key).orElseThrow(() -> new IllegalArgumentException("There is no text " + key));
		return new MessageFormat(text, this.locale).format(values);
	}

	/** The name of an engine, such as “Redisson” for {@code raw}. */
	public String engine(String label) {
		return find("engine." + label).orElse(label);
	}

	/** A time, as {@link #millis} under a second, else in seconds with one decimal. */
	public String time(long nanos) {
		return (nanos < 999_500_000) ? text("time.millis", millis(nanos))
				: text("time.seconds", String.format(Locale.ROOT, "%.1f", nanos / 1e9));
	}

	/** A time in ms, with a decimal if there are less than ten. */
	public static String millis(long nanos) {
		return String.format(Locale.ROOT, (nanos < 9_950_000) ? "%.1f" : "%.0f", nanos / 1e6);
	}

}
