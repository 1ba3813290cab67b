package live.retwis.locks.nodes.testing;

import java.lang.reflect.Parameter;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests a real Redis: a {@link TestRedis} parameter is the shared server of this
 * JVM, emptied for the test; with {@link OwnRedis} it is a server of the test's own, and
 * the shared one keeps its data. Tests that share the server must not run in parallel.
 * <p>
 * The shared server ends with the JVM, not with the tests: Spring closes its cached
 * contexts only then, and would miss it.
 */
public final class RedisExtension implements ParameterResolver {

	private static final Namespace NAMESPACE = Namespace.create(RedisExtension.class);

	/**
	 * The shared server, for what is set up outside of tests, such as the properties of a
	 * Spring context. Starts it at the first call.
	 * @return the server
	 */
	public static TestRedis shared() {
		return SharedRedis.get();
	}

	/** A server in a test's constructor is that test's own too. */
	@Override
	public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
		return ExtensionContextScope.TEST_METHOD;
	}

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		return parameter.getParameter().getType() == TestRedis.class;
	}

	@Override
	public TestRedis resolveParameter(ParameterContext context, ExtensionContext test) {
		Parameter parameter = context.getParameter();
		return context.findAnnotation(OwnRedis.class)
			.map((own) -> test.getStore(NAMESPACE)
				.computeIfAbsent(parameter, (key) -> RedisSource.start(own.value()), TestRedis.class))
			.orElseGet(SharedRedis::emptied);
	}

}
