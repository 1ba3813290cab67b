package live.retwis.i18n;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.io.IOException;
import java.text.MessageFormat;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.files.SiteResourceLoader;

import org.springframework.context.MessageSource;
import org.springframework.context.support.ReloadableResourceBundleMessageSource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.EncodedResource;
import org.springframework.core.io.support.PropertiesLoaderUtils;

/**
 * The texts of {@code templates/words}. {@code messages.properties} has the English ones.
 * {@code messages_<language>.properties} has the same keys for another language.
 */
class Catalogue {

	private static final String FOLDER = "templates/words/";

	/** What the names of the files begin with. */
	private static final String BEGIN = "messages";

	private static final String SUFFIX = ".properties";

	/** Most texts with values that are kept, of about 100 characters each. */
	private static final int MOST_FILLED = 10_000;

	private final SiteResourceLoader files;

	private volatile Content content;

	Catalogue(SiteResourceLoader files) {
		this.files = files;
		this.content = load();
	}

	/**
	 * Reads the files again.
	 * @throws IllegalStateException when the keys of a language are not the same as the
	 * English ones, or when a text is not a valid message format; the texts then stay as
	 * they were
	 */
	void reload() {
		this.content = load();
	}

	/** English first, then the others in the order of their tags. */
	List<Locale> locales() {
		return this.content.texts()
			.keySet()
			.stream()
			.sorted(Comparator.comparing((Locale locale) -> !locale.equals(Locale.ENGLISH))
				.thenComparing(Locale::toLanguageTag))
			.toList();
	}

	/**
	 * The text with its values filled in. A text without values is returned as it is
	 * written.
	 */
	String text(Locale locale, String key, Object... values) {
		Content now = this.content;
		String written = (values.length == 0) ? now.texts().getOrDefault(locale, Map.of()).get(key) : null;
		return (written != null) ? written : now.filled()
			.get(new Filled(locale, key, List.of(values)), (text) -> now.source().getMessage(key, values, locale));
	}

	/**
	 * The texts whose keys begin with the prefix, as the file has them, by the rest of
	 * their keys.
	 */
	Map<String, String> texts(Locale locale, String prefix) {
		Map<String, String> found = new TreeMap<>();
		this.content.texts().getOrDefault(locale, Map.of()).forEach((key, text) -> {
			if (key.startsWith(prefix)) {
				found.put(key.substring(prefix.length()), text);
			}
		});
		return found;
	}

	private Content load() {
		Map<Locale, Map<String, String>> texts = new HashMap<>();
		for (Resource file : this.files.find(FOLDER + BEGIN + "*" + SUFFIX)) {
			String name = String.valueOf(file.getFilename());
			texts.put(locale(name), read(file, name));
		}
		Set<String> keys = texts.getOrDefault(Locale.ENGLISH, Map.of()).keySet();
		texts.forEach((locale, some) -> compare(locale, some.keySet(), keys));
		MessageSource source = source();
		// It reads its files when it is asked first, and pages ask on event loops.
		texts.forEach((locale,
				some) -> some.keySet().stream().findFirst().ifPresent((key) -> source.getMessage(key, null, locale)));
		return new Content(texts, source, Caffeine.newBuilder().maximumSize(MOST_FILLED).build());
	}

	/** The language of a file: {@code messages_zh.properties} is Chinese. */
	private static Locale locale(String file) {
		String tag = file.substring(BEGIN.length(), file.length() - SUFFIX.length());
		return tag.isEmpty() ? Locale.ENGLISH : Locale.forLanguageTag(tag.substring(1).replace('_', '-'));
	}

	private static Map<String, String> read(Resource file, String name) {
		try {
			Properties read = PropertiesLoaderUtils.loadProperties(new EncodedResource(file, "UTF-8"));
			Map<String, String> texts = new TreeMap<>();
			read.stringPropertyNames().forEach((key) -> texts.put(key, checked(name, key, read.getProperty(key))));
			return texts;
		}
		catch (IOException ex) {
			throw new IllegalStateException(FOLDER + name + ": " + ex.getMessage(), ex);
		}
	}

	private static String checked(String file, String key, String text) {
		try {
			if (text.contains("{")) {
				new MessageFormat(text);
			}
			return text;
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalStateException(FOLDER + file + ": " + key + ": " + ex.getMessage(), ex);
		}
	}

	private static void compare(Locale locale, Set<String> own, Set<String> english) {
		Set<String> missing = new TreeSet<>(english);
		missing.removeAll(own);
		Set<String> unknown = new TreeSet<>(own);
		unknown.removeAll(english);
		if (!missing.isEmpty() || !unknown.isEmpty()) {
			throw new IllegalStateException(FOLDER + BEGIN + "_" + locale + SUFFIX
					+ Stream.of(mistake("missing", missing), mistake("unknown", unknown))
						.flatMap(Optional::stream)
						.collect(Collectors.joining("; ", ": ", "")));
		}
	}

	private static Optional<String> mistake(String name, Set<String> keys) {
		return keys.isEmpty() ? Optional.empty() : Optional.of(name + ": " + String.join(", ", keys));
	}

	private MessageSource source() {
		ReloadableResourceBundleMessageSource source = new ReloadableResourceBundleMessageSource();
		source.setResourceLoader(this.files.loader());
		source.setBasename(this.files.address(FOLDER + BEGIN));
		source.setDefaultEncoding("UTF-8");
		source.setFallbackToSystemLocale(false);
		return source;
	}

	/**
	 * What was read.
	 *
	 * @param texts of each language by their keys, as the file has them
	 * @param source fills in values
	 * @param filled texts that have their values. Filling one in takes longer than all
	 * else that a page does with it, and pages have the same ones again and again
	 */
	private record Content(Map<Locale, Map<String, String>> texts, MessageSource source, Cache<Filled, String> filled) {
	}

	/** A text with its values, in a language. */
	private record Filled(Locale locale, String key, List<Object> values) {
	}

}
