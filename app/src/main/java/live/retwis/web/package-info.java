/**
 * What every page shares: templates, frame, forms, errors, security and static files.
 */
@NullMarked
package live.retwis.web;

import org.jspecify.annotations.NullMarked;
