/**
 * Reads templates, texts and static files from the jar. In the profile {@code dev} they
 * are read from the folders of a checkout, and changes show without a restart.
 */
@NullMarked
package live.retwis.files;

import org.jspecify.annotations.NullMarked;
