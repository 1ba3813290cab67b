/**
 * The languages of the pages, and texts that read differently in each.
 */
@NullMarked
package live.retwis.i18n;

import org.jspecify.annotations.NullMarked;
