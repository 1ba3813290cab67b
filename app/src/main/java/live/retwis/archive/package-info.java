/**
 * Old posts in an SQL database. Redis keeps the posts that people read most. Posts that
 * are older than {@code retwis.archive.after}, and those past the newest
 * {@code retwis.timeline.own-size} of an author, move to the archive. A list in Redis
 * from which posts have moved ends with {@link live.retwis.archive.ArchiveMarkers}.
 */
@NullMarked
package live.retwis.archive;

import org.jspecify.annotations.NullMarked;
