/** The command that fills an empty store and keeps posting. */
@NullMarked
package live.retwis.demo;

import org.jspecify.annotations.NullMarked;
