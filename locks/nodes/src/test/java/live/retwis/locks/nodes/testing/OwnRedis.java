package live.retwis.locks.nodes.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a {@link TestRedis} parameter: a server for this test alone, which may be paused and
 * killed, and is closed after the test.
 */
@Documented
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
public @interface OwnRedis {

	/**
	 * Lines as in {@code redis.conf}, such as {@code appendonly yes} for a server that
	 * remembers over a restart.
	 */
	String[] value() default {};

}
