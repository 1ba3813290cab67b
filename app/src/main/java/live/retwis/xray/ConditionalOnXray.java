package live.retwis.xray;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/**
 * Creates the bean only if {@code retwis.xray.enabled} is true. Otherwise nothing of this
 * package exists, and commands are not traced.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Component
@ConditionalOnProperty("retwis.xray.enabled")
@interface ConditionalOnXray {

}
