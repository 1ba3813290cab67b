/**
 * What the benchmarks of all modules measured, in one form:
 * {@link live.retwis.locks.nodes.testing.bench.Figure}, kept in the files of
 * {@link live.retwis.locks.nodes.testing.bench.FigureFile}.
 */
@NullMarked
package live.retwis.locks.nodes.testing.bench;

import org.jspecify.annotations.NullMarked;
