package live.retwis.locks.nodes.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A {@link TestRedis} parameter with this annotation is a server for this test only. It
 * can be paused and killed, and is closed after the test.
 */
@Documented
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface OwnRedis {

	/**
	 * Lines as in {@code redis.conf}, such as {@code appendonly yes} for a server that
	 * keeps its data over a restart.
	 */
	String[] value() default {};

}
