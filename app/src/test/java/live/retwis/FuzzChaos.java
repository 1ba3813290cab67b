package live.retwis;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The properties of all {@code …FuzzTests} with other input, each class for two minutes
 * or {@code -Dfuzz.minutes}. {@code -Dfuzz.classes} is a pattern of their names. A
 * failure tells its seed.
 */
class FuzzChaos {

	private static final int TRIES = 5_000;

	private static final long NANOS = TimeUnit.MINUTES.toNanos(Long.getLong("fuzz.minutes", 2));

	// The listeners of this JVM have begun already.
	private final Launcher launcher = LauncherFactory
		.create(LauncherConfig.builder().enableTestExecutionListenerAutoRegistration(false).build());

	private static LauncherDiscoveryRequestBuilder request() {
		return LauncherDiscoveryRequestBuilder.request()
			.filters(EngineFilter.includeEngines("jqwik"))
			.configurationParameter("jqwik.tries.default", Integer.toString(TRIES));
	}

	@TestFactory
	Stream<DynamicTest> thePropertiesHoldForMinutes() {
		TestPlan all = this.launcher.discover(request().selectors(DiscoverySelectors.selectPackage("live.retwis"))
			.filters(ClassNameFilter.includeClassNamePatterns(System.getProperty("fuzz.classes", ".*FuzzTests")))
			.build());
		Set<TestIdentifier> classes = all.getChildren(all.getRoots().iterator().next());
		assertThat(classes).isNotEmpty();
		return classes.stream()
			.map((one) -> DynamicTest.dynamicTest(one.getDisplayName(),
					() -> run(request().selectors(DiscoverySelectors.selectUniqueId(one.getUniqueId())).build())));
	}

	private void run(LauncherDiscoveryRequest properties) {
		long begin = System.nanoTime();
		do {
			SummaryGeneratingListener summary = new SummaryGeneratingListener();
			this.launcher.execute(properties, summary);
			assertThat(summary.getSummary().getTestsSucceededCount()).isPositive();
			assertThat(summary.getSummary().getFailures()).extracting((failure) -> failure.getException()).isEmpty();
		}
		while (System.nanoTime() - begin < NANOS);
	}

}
