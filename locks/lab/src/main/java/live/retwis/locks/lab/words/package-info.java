/**
 * The lab's texts for people, in every language that it has. Each language is a file:
 * {@code lab.properties} is English, and {@code lab_<language>.properties} has the same
 * keys. Recorded histories and the command line keep their own short names, which never
 * change.
 */
@NullMarked
package live.retwis.locks.lab.words;

import org.jspecify.annotations.NullMarked;
