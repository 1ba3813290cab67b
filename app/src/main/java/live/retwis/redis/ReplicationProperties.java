package live.retwis.redis;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings for replicas of the data.
 *
 * @param waitReplicas replicas that must confirm a post before it is acknowledged. A
 * confirmed post survives the loss of the master. It may still be lost when a network
 * partition keeps the old master running for a while
 * @param waitTimeout how long to wait for the replicas; a post that is not confirmed in
 * this time answers 503. It must be less than the command timeout of 2 s. Replicas answer
 * later than usual while the master sends all its data to a replica that has come back:
 * after 0.2 to 1 s on a small, busy machine
 */
@ConfigurationProperties("retwis.redis")
public record ReplicationProperties(@DefaultValue("0") int waitReplicas, @DefaultValue("1500ms") Duration waitTimeout) {
}
