package live.retwis.web;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

import com.samskivert.mustache.Template;
import live.retwis.i18n.Language;

/**
 * The template of a page, in each language.
 */
public final class PageTemplate {

	/** By the languages' ordinals. */
	private final List<Template> templates;

	PageTemplate(Function<Language, Template> compiler) {
		this.templates = Arrays.stream(Language.values()).map(compiler).toList();
	}

	/** The page in the language of its frame. */
	String execute(PageView view) {
		return Templates.execute(this.templates.get(view.frame().language().ordinal()), view);
	}

}
