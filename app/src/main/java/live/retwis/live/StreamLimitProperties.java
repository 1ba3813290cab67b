package live.retwis.live;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Bounds of the streams that one client may hold open at one instance. There are none
 * with {@code retwis.limits.enabled=false}.
 *
 * @param streamsByAddress most open streams of one client address
 * @param streamsBySession most open streams of one session, which is one browser that is
 * logged in
 */
@ConfigurationProperties("retwis.limits")
record StreamLimitProperties(@DefaultValue("50") int streamsByAddress, @DefaultValue("10") int streamsBySession) {
}
