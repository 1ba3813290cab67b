/**
 * A walk through Redis in chapters. Each chapter has a text, a question, and an
 * experiment that is played for real on Redis servers that are started for it alone. The
 * site's own data is never touched.
 */
@NullMarked
package live.retwis.learn;

import org.jspecify.annotations.NullMarked;
