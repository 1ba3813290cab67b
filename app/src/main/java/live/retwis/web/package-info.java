/**
 * What all pages share: templates, the frame, forms, errors, security headers and static
 * files.
 */
@NullMarked
package live.retwis.web;

import org.jspecify.annotations.NullMarked;
