package live.retwis.locks.nodes.testing;

import java.lang.reflect.Parameter;
import java.util.List;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a real Redis to tests. A {@link TestRedis} parameter is the shared server of this
 * JVM, which is emptied before the test. With {@link OwnRedis} it is a new server for
 * this test, and the shared server keeps its data. Tests that use the shared server must
 * not run in parallel.
 * <p>
 * The shared server ends with the JVM and not with the tests, because Spring closes its
 * cached contexts only then and still needs it.
 */
public final class RedisExtension implements ParameterResolver {

	private static final Namespace NAMESPACE = Namespace.create(RedisExtension.class);

	/**
	 * The shared server, for setup outside of tests, such as the properties of a Spring
	 * context. The first call starts it.
	 * @return the server
	 */
	public static TestRedis shared() {
		return SharedRedis.get();
	}

	/** A server in a test's constructor belongs to that test only. */
	@Override
	public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
		return ExtensionContextScope.TEST_METHOD;
	}

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		return parameter.getParameter().getType() == TestRedis.class;
	}

	/**
	 * A server of a test's own is a process, also beside a Docker engine. There are
	 * hundreds, and each container takes a second of a core. It also changes the network
	 * of the machine, and Chromium then breaks off what it loads.
	 */
	@Override
	public TestRedis resolveParameter(ParameterContext context, ExtensionContext test) {
		Parameter parameter = context.getParameter();
		return context.findAnnotation(OwnRedis.class)
			.map((own) -> test.getStore(NAMESPACE)
				.computeIfAbsent(parameter, (key) -> ProcessRedis.start(List.of(own.value())), TestRedis.class))
			.orElseGet(SharedRedis::emptied);
	}

}
