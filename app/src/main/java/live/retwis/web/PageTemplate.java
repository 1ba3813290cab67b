package live.retwis.web;

import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import com.samskivert.mustache.Template;
import live.retwis.i18n.Language;

/**
 * The template of a page, compiled for each language.
 */
public final class PageTemplate extends CompiledTemplate<Map<Language, Template>> {

	PageTemplate(Supplier<Map<Language, Template>> compiler) {
		super(compiler);
	}

	/** Renders a view in the language of its frame. */
	String execute(PageView view) {
		Template template = compiled().get(view.frame().language());
		return Templates.execute(Objects.requireNonNull(template), view);
	}

}
