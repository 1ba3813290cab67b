package live.retwis.browser;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One test in one kind of browser.
 *
 * @param kind the kind of browser
 */
record BrowserInvocation(BrowserKind kind)
		implements
			TestTemplateInvocationContext,
			ExecutionCondition,
			ParameterResolver,
			AfterTestExecutionCallback {

	/**
	 * System property. With {@code all}, tests run in each kind of browser. With {@code
	 * required}, those that are not slow do, and a missing browser is an error.
	 */
	static final String BROWSERS = "retwis.browsers";

	/**
	 * System property, or parameter of JUnit: the only kind that tests run in, {@code
	 * chromium} or {@code firefox}.
	 */
	static final String BROWSER = "retwis.browser";

	private static final Namespace NAMESPACE = Namespace.create(BrowserInvocation.class);

	private static final Path PICTURES = Path.of("target", "browser");

	@Override
	public String getDisplayName(int invocationIndex) {
		return "in " + this.kind;
	}

	@Override
	public List<Extension> getAdditionalExtensions() {
		return List.of(this);
	}

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		if (this.kind.available() || "required".equals(System.getProperty(BROWSERS))) {
			return ConditionEvaluationResult.enabled(this.kind + " is there, or has to be");
		}
		return ConditionEvaluationResult.disabled(this.kind + " is not on the PATH: no " + this.kind.missing());
	}

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		Class<?> type = parameter.getParameter().getType();
		return type == Browser.class || type == BrowserKind.class;
	}

	@Override
	public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
		return (parameter.getParameter().getType() == BrowserKind.class) ? this.kind : browser(context);
	}

	@Override
	public void afterTestExecution(ExtensionContext context) {
		Gallery.write();
		Browser browser = context.getStore(NAMESPACE).get(Browser.class, Browser.class);
		if (browser != null) {
			context.getExecutionException()
				.ifPresentOrElse((failure) -> takePictures(context, browser.tabs(), failure),
						() -> assertThat(browser.scriptErrors()).as("errors of scripts").isEmpty());
		}
	}

	/**
	 * JUnit closes what is in its store after the test: the browser, and with it the
	 * tabs.
	 */
	private Browser browser(ExtensionContext context) {
		return context.getStore(NAMESPACE)
			.computeIfAbsent(Browser.class, (key) -> SharedEngines.of(this.kind).newBrowser(), Browser.class);
	}

	/** If a screenshot fails, the failure of the test must still be reported. */
	private void takePictures(ExtensionContext context, List<Tab> tabs, Throwable failure) {
		for (int i = 0; i < tabs.size(); i++) {
			String name = "%s.%s-%s-%d.png".formatted(context.getRequiredTestClass().getSimpleName(),
					context.getRequiredTestMethod().getName(), this.kind, i + 1);
			try {
				tabs.get(i).screenshotOfViewport(PICTURES.resolve(name));
			}
			catch (RuntimeException ex) {
				failure.addSuppressed(ex);
			}
		}
	}

}
