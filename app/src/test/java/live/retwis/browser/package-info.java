/**
 * Real browsers for tests. Chromium and Firefox run as processes, and both are controlled
 * with WebDriver BiDi. A test gets a {@link live.retwis.browser.Browser} with
 * {@link live.retwis.browser.BrowserTest}, opens a {@link live.retwis.browser.Tab} for
 * each user, and clicks, types and reads as a person does. Every wait has a limit.
 */
@NullMarked
package live.retwis.browser;

import org.jspecify.annotations.NullMarked;
