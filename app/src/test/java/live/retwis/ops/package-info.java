/**
 * Tests of what operators do with the files of {@code src/ops}, with real instances.
 */
@NullMarked
package live.retwis.ops;

import org.jspecify.annotations.NullMarked;
