/**
 * Users' own data as one JSON file. Each feature gives its part, see
 * {@link live.retwis.export.ExportPart}.
 */
@NullMarked
package live.retwis.export;

import org.jspecify.annotations.NullMarked;
