/**
 * The command that fills an empty store and keeps it moving.
 */
@NullMarked
package live.retwis.demo;

import org.jspecify.annotations.NullMarked;
