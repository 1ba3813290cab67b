@NullMarked
package live.retwis.xray;

import org.jspecify.annotations.NullMarked;
