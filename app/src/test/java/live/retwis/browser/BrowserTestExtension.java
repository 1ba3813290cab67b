package live.retwis.browser;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Turns a method with {@link BrowserTest} into one test for each kind of browser.
 */
final class BrowserTestExtension implements TestTemplateInvocationContextProvider {

	@Override
	public boolean supportsTestTemplate(ExtensionContext context) {
		return true;
	}

	/**
	 * The first installed kind. All kinds if this is asked for, or if none is installed.
	 * Slow tests run in one kind, unless all are asked for: {@link FirefoxChaos} runs
	 * them in Firefox.
	 */
	private static List<BrowserKind> kinds(List<BrowserKind> all, boolean slow) {
		String asked = System.getProperty(BrowserInvocation.BROWSERS, "");
		List<BrowserKind> first = all.stream().filter(BrowserKind::available).limit(1).toList();
		return (first.isEmpty() || asked.equals("all") || (!asked.isEmpty() && !slow)) ? all : first;
	}

	@Override
	public Stream<? extends TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
			ExtensionContext context) {
		BrowserTest test = AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), BrowserTest.class)
			.orElseThrow();
		return context.getConfigurationParameter(BrowserInvocation.BROWSER)
			.map((only) -> List.of(BrowserKind.valueOf(only.toUpperCase(Locale.ROOT))))
			.orElseGet(() -> kinds(List.of(test.value()), context.getTags().contains("slow")))
			.stream()
			.map(BrowserInvocation::new);
	}

}
