package live.retwis.web;

import java.util.function.Supplier;

/**
 * A template that is compiled once, and anew when its file has changed.
 *
 * @param <C> what it is compiled to
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

	/** A mistake is an error, and leaves it as it was. */
	void compileAgain() {
		this.compiled = this.compiler.get();
	}

}
