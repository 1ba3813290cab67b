package live.retwis.browser;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Makes one test of each kind of browser out of a method with {@link BrowserTest}.
 */
final class BrowserTestExtension implements TestTemplateInvocationContextProvider {

	@Override
	public boolean supportsTestTemplate(ExtensionContext context) {
		return true;
	}

	/** The first that is there, or all where that is asked for or none is there. */
	private static List<BrowserKind> kinds(List<BrowserKind> all) {
		List<BrowserKind> first = all.stream().filter(BrowserKind::available).limit(1).toList();
		return (System.getProperty(BrowserInvocation.BROWSERS) != null || first.isEmpty()) ? all : first;
	}

	@Override
	public Stream<? extends TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
			ExtensionContext context) {
		BrowserTest test = AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), BrowserTest.class)
			.orElseThrow();
		return kinds(List.of(test.value())).stream().map(BrowserInvocation::new);
	}

}
