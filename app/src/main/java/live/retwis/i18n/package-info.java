/**
 * The languages of the pages, and texts that differ between languages.
 */
@NullMarked
package live.retwis.i18n;

import org.jspecify.annotations.NullMarked;
