package live.retwis.log;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Copies of the data.
 *
 * @param waitReplicas replicas that must confirm a post before it is acknowledged: it
 * then outlives the master, but not a partition in which that goes on for a while
 * @param waitTimeout how long to wait for them; a post that is not confirmed by then
 * answers 503. Less than a command may take, which is 2 s. They answer later than usual
 * while the master sends all its data to a replica that has come back: on a small, busy
 * machine 0.2 to 1 s
 */
@ConfigurationProperties("retwis.redis")
public record ReplicationProperties(@DefaultValue("0") int waitReplicas, @DefaultValue("1500ms") Duration waitTimeout) {
}
