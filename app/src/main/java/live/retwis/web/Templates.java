package live.retwis.web;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import com.samskivert.mustache.DefaultCollector;
import com.samskivert.mustache.Escapers;
import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import live.retwis.files.FileChangeListener;
import live.retwis.files.SiteResourceLoader;
import live.retwis.i18n.Language;
import live.retwis.i18n.Languages;
import live.retwis.i18n.Localized;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * The Mustache templates of {@code templates/}. Each is compiled once for each language
 * at the start, so that a mistake in a template shows before the first visitor comes. If
 * a view lacks a name that the template uses, rendering fails and names the file. In a
 * section null, an empty text and 0 are false.
 */
@Component
public class Templates implements FileChangeListener {

	/**
	 * How a template refers to a text: by its key, and the values for its places, as in
	 * {@code [[compose.limit {{limit}}]]}.
	 */
	private static final Pattern TEXT = Pattern.compile("\\[\\[([a-z0-9.-]+)((?: \\{\\{[^{}]+}})*)]]");

	/**
	 * The beginning of a reference. If one is left after translating, it is malformed.
	 */
	private static final String BEGIN = "[[";

	/** Stands for a character that cannot be shown. Browsers show it for a zero, too. */
	private static final char REPLACEMENT = '\ufffd';

	private final Mustache.Compiler compiler = Mustache.compiler()
		.strictSections(true)
		.nullValue("")
		.emptyStringIsFalse(true)
		.zeroIsFalse(true)
		.withEscaper(Templates::escape)
		.withCollector(new Properties());

	private final Languages languages;

	private final SiteResourceLoader files;

	private final List<CompiledTemplate<?>> all = new CopyOnWriteArrayList<>();

	Templates(Languages languages, SiteResourceLoader files) {
		this.languages = languages;
		this.files = files;
	}

	/**
	 * Compiles {@code templates/<name>.mustache}, and the templates that it includes,
	 * once for each language.
	 * @throws IllegalStateException when a template is missing or has a mistake, or when
	 * a language lacks one of its texts
	 */
	public PageTemplate page(String name) {
		return add(new PageTemplate(() -> this.languages.all()
			.stream()
			.collect(Collectors.toMap(Function.identity(), (language) -> page(name, language)))));
	}

	private LocatedTemplate page(String name, Language language) {
		return compile(name, (source) -> translate(source, language),
				(value) -> text((value instanceof Localized text) ? text.in(language) : value));
	}

	private <T extends CompiledTemplate<?>> T add(T template) {
		this.all.add(template);
		return template;
	}

	/**
	 * Compiles a template whose output has no words.
	 * @throws IllegalStateException when the template is missing or has a mistake, or
	 * contains a text to translate
	 */
	public LanguageFreeTemplate languageFree(String name) {
		return add(new LanguageFreeTemplate(() -> compile(name, Templates::refuseTexts, Templates::text)));
	}

	@Override
	public Stage stage() {
		return Stage.TEMPLATES;
	}

	/** Compiles all templates again. Those with a mistake stay as they were. */
	@Override
	public void filesChanged() {
		Set<String> mistakes = new LinkedHashSet<>();
		for (CompiledTemplate<?> template : this.all) {
			try {
				template.compileAgain();
			}
			catch (IllegalStateException ex) {
				mistakes.add(ex.getMessage());
			}
		}
		if (!mistakes.isEmpty()) {
			throw new IllegalStateException(String.join("; ", mistakes));
		}
	}

	private LocatedTemplate compile(String name, UnaryOperator<String> source, Mustache.Formatter formatter) {
		Loader loader = new Loader(source);
		try {
			Template template = this.compiler.withFormatter(formatter)
				.withLoader(loader)
				.compile(loader.getTemplate(name));
			template.visit(new Includes());
			return new LocatedTemplate(template, loader.paths.stream().distinct().toList(), this.files);
		}
		catch (Exception ex) {
			throw new IllegalStateException(loader.last() + ": " + ex.getMessage(), ex);
		}
	}

	private static String translate(String source, Language language) {
		String translated = TEXT.matcher(source)
			.replaceAll((found) -> Matcher.quoteReplacement(text(language, found.group(1), found.group(2).strip())));
		if (translated.contains(BEGIN)) {
			throw new IllegalStateException("write a text as [[key]] or [[key {{value}}]], not as "
					+ translated.substring(translated.indexOf(BEGIN)).lines().findFirst().orElse(""));
		}
		return translated;
	}

	/** A text in which each place is a tag of the template. */
	private static String text(Language language, String key, String tags) {
		try {
			return tags.isEmpty() ? language.text(key) : language.text(key, (Object[]) tags.split(" "));
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalStateException("the text " + key
					+ " needs a number, which the template does not know: put a Message into the view", ex);
		}
	}

	private static String refuseTexts(String source) {
		if (source.contains(BEGIN)) {
			throw new IllegalStateException("this template serves all languages, so it cannot contain a text: "
					+ source.substring(source.indexOf(BEGIN)).lines().findFirst().orElse(""));
		}
		return source;
	}

	/**
	 * The text of a value. JMustache also asks for it to decide whether to show a
	 * section. The text of a record would cost more than the section itself, so a record
	 * has its class name instead.
	 */
	private static String text(Object value) {
		if (value instanceof RenderedMarkup markup) {
			return markup.place();
		}
		return (value instanceof Record) ? value.getClass().getName() : String.valueOf(value);
	}

	/**
	 * Escapes a text for HTML. Most texts have nothing to escape, so this looks first,
	 * which makes a page a quarter cheaper. HTML has no zero character, and here it is
	 * the place of {@link RenderedMarkup}.
	 */
	static String escape(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (isEscaped(text.charAt(i))) {
				return Escapers.HTML.escape(text.replace('\0', REPLACEMENT));
			}
		}
		return text;
	}

	/** Whether the character is replaced. */
	private static boolean isEscaped(char character) {
		return switch (character) {
			case '\0', '&', '\'', '"', '<', '>', '`', '=' -> true;
			default -> false;
		};
	}

	/**
	 * Finds {@code frame.viewer} in one step, which makes a page a fifth cheaper.
	 * JMustache would first look for a property of that name in each context.
	 */
	private static final class Properties extends DefaultCollector {

		@Override
		public Mustache.@Nullable VariableFetcher createFetcher(Object context, String name) {
			int dot = name.indexOf('.');
			Method outer = (dot > 0) ? getMethod(context.getClass(), name.substring(0, dot)) : null;
			Method inner = (outer != null) ? getMethod(outer.getReturnType(), name.substring(dot + 1)) : null;
			return (outer == null || inner == null) ? super.createFetcher(context, name)
					: (of, same) -> property(inner, outer.invoke(of));
		}

		private static @Nullable Object property(Method property, @Nullable Object of) throws Exception {
			return (of != null) ? property.invoke(of) : null;
		}

	}

	/** Reads a template and what it includes. */
	private final class Loader implements Mustache.TemplateLoader {

		private final UnaryOperator<String> source;

		/** The files that were read, in their order. */
		private final List<String> paths = new ArrayList<>();

		Loader(UnaryOperator<String> source) {
			this.source = source;
		}

		/** The file read last, which is the one being compiled. */
		String last() {
			return this.paths.get(this.paths.size() - 1);
		}

		@Override
		public Reader getTemplate(String name) throws IOException {
			String path = "templates/" + name + ".mustache";
			this.paths.add(path);
			return new StringReader(this.source.apply(Templates.this.files.read(path)));
		}

	}

	/**
	 * Visits everything that a template includes. JMustache reads and compiles that only
	 * when it is visited or rendered.
	 */
	private static final class Includes implements Mustache.Visitor {

		@Override
		public void visitText(String text) {
			// Only included templates matter.
		}

		@Override
		public void visitVariable(String name) {
			// Only included templates matter.
		}

		@Override
		public boolean visitInclude(String name) {
			return true;
		}

		@Override
		public boolean visitParent(String name) {
			return true;
		}

		@Override
		public boolean visitBlock(String name) {
			return true;
		}

		@Override
		public boolean visitSection(String name) {
			return true;
		}

		@Override
		public boolean visitInvertedSection(String name) {
			return true;
		}

	}

}
