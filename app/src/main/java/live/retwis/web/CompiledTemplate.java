package live.retwis.web;

import java.util.function.Supplier;

/**
 * A template that is compiled at the start, and again when its file has changed.
 *
 * @param <C> the compiled form
 */
abstract class CompiledTemplate<C> {

	private final Supplier<C> compiler;

	private volatile C compiled;

	CompiledTemplate(Supplier<C> compiler) {
		this.compiler = compiler;
		this.compiled = compiler.get();
	}

	C compiled() {
		return this.compiled;
	}

	/**
	 * Fails if the file has a mistake. The compiled template is then still the old one.
	 */
	void compileAgain() {
		this.compiled = this.compiler.get();
	}

}
