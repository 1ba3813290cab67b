package live.retwis.web;

import java.util.function.Supplier;

import com.samskivert.mustache.Template;

/**
 * A template that reads the same in every language.
 */
public final class FragmentTemplate extends CompiledTemplate<Template> {

	FragmentTemplate(Supplier<Template> compiler) {
		super(compiler);
	}

	/** What it makes of a view. */
	public String execute(Object view) {
		return Templates.execute(compiled(), view);
	}

}
