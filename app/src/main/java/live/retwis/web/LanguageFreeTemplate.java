package live.retwis.web;

import java.util.function.Supplier;

/**
 * A template whose output has no words, so the same bytes serve all languages.
 */
public final class LanguageFreeTemplate extends CompiledTemplate<LocatedTemplate> {

	LanguageFreeTemplate(Supplier<LocatedTemplate> compiler) {
		super(compiler);
	}

	/** Renders a view. */
	public String execute(Object view) {
		return compiled().execute(view);
	}

}
