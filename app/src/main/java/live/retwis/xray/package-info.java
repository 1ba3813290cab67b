/**
 * X-ray: shows below a page which Redis commands made it. Package {@code redis} sees each
 * command on its way and tells a {@link live.retwis.redis.CommandRecorder}. Here the
 * commands are stripped of secrets at that moment, kept until the page is rendered, and
 * shown with an explanation of each command and a look at each key.
 */
@NullMarked
package live.retwis.xray;

import org.jspecify.annotations.NullMarked;
