package live.retwis.browser;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that takes a {@link Browser}, whose tabs are closed after it. It runs in the
 * first kind of browser that is on this machine, and in each with
 * {@code -Dretwis.browsers=all}.
 * <p>
 * A browser that is not there is reported as a skipped test, or as a failed one with
 * {@code -Dretwis.browsers=required}, so that a build that must not skip cannot. A failed
 * test leaves pictures of its tabs in {@code target/browser}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(BrowserTestExtension.class)
@interface BrowserTest {

	/**
	 * The kinds that it can run in; all unless told otherwise.
	 */
	BrowserKind[] value() default { BrowserKind.CHROMIUM, BrowserKind.FIREFOX };

}
