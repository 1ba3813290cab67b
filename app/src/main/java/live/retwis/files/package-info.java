/**
 * Templates, texts and static files, from the jar or, in the profile {@code dev}, from
 * the folders of a checkout, where changes show without a restart.
 */
@NullMarked
package live.retwis.files;

import org.jspecify.annotations.NullMarked;
