package live.retwis.web;

import java.util.function.Supplier;

import com.samskivert.mustache.Template;

/**
 * A template whose output has no words, so the same bytes serve all languages.
 */
public final class LanguageFreeTemplate extends CompiledTemplate<Template> {

	LanguageFreeTemplate(Supplier<Template> compiler) {
		super(compiler);
	}

	/** Renders a view. */
	public String execute(Object view) {
		return Templates.execute(compiled(), view);
	}

}
