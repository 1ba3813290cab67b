package live.retwis.browser;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test with a {@link Browser} as its argument, whose tabs are closed after the test. It
 * runs in the first kind of browser that is installed, or in every kind with {@code
 * -Dretwis.browsers=all}. With {@code -Dretwis.browser=firefox} every test runs in
 * Firefox alone.
 * <p>
 * If no browser is installed, the test is skipped. With {@code
 * -Dretwis.browsers=required} it fails instead. An error of a page's script fails the
 * test: see {@link Browser#allowScriptErrors}. A failed test leaves screenshots of its
 * tabs in {@code target/browser}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(BrowserTestExtension.class)
@interface BrowserTest {

	/**
	 * The kinds that the test runs in. A long test names one; {@link FirefoxChaos} runs
	 * it in Firefox all the same.
	 */
	BrowserKind[] value() default { BrowserKind.CHROMIUM, BrowserKind.FIREFOX };

}
