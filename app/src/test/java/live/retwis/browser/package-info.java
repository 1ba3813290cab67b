/**
 * Real browsers for tests: Chromium and Firefox as processes of their own, both driven
 * over WebDriver BiDi, the one protocol that both speak. A test asks for a
 * {@link live.retwis.browser.Browser} with {@link live.retwis.browser.BrowserTest}, opens
 * a {@link live.retwis.browser.Tab} for each user and clicks, types and reads as a person
 * does. Every wait is bounded.
 */
@NullMarked
package live.retwis.browser;

import org.jspecify.annotations.NullMarked;
