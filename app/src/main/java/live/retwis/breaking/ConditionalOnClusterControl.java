package live.retwis.breaking;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/**
 * Creates the bean only in an instance that the command {@code cluster} has started.
 * Elsewhere nothing can be broken, and no address for it exists.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Component
@ConditionalOnProperty("retwis.cluster.control")
@interface ConditionalOnClusterControl {

}
