package live.retwis.redis;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Copies of the data.
 *
 * @param waitReplicas replicas that must confirm a post before it is acknowledged: it
 * then outlives the master, but not a partition in which that goes on for a while
 * @param waitTimeout how long to wait for them; a post that is not confirmed by then
 * answers 503
 */
@ConfigurationProperties("retwis.redis")
public record ReplicationProperties(@DefaultValue("0") int waitReplicas, @DefaultValue("1s") Duration waitTimeout) {
}
