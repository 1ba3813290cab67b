package live.retwis.web;

import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import live.retwis.i18n.Language;

/**
 * The template of a page, compiled for each language.
 */
public final class PageTemplate extends CompiledTemplate<Map<Language, LocatedTemplate>> {

	PageTemplate(Supplier<Map<Language, LocatedTemplate>> compiler) {
		super(compiler);
	}

	/** Renders a view in the language of its frame. */
	String execute(PageView view) {
		return Objects.requireNonNull(compiled().get(view.frame().language())).execute(view);
	}

}
