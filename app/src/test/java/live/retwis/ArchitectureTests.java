package live.retwis;

import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.conditions.ArchConditions;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import live.retwis.web.SiteRoutes;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Repository;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rules of the house, so that nobody has to remember them.
 */
class ArchitectureTests {

	private static final String[] FEATURES = { "account", "follow", "post", "timeline", "live", "lab", "demo",
			"doctor" };

	private static final Set<String> BLOCKING = Set.of("block", "blockOptional", "blockFirst", "blockLast");

	/** A command may wait in this way; it has nothing else to do. */
	private static final Set<String> WAITING = Set.of("toStream", "toIterable");

	private static final JavaClasses MAIN = new ClassFileImporter()
		.withImportOption((location) -> location.contains("/target/classes/")
				|| (location.contains("retwis-locks") && !location.contains("-tests.jar")))
		.importPackages("live.retwis");

	private static final JavaClasses APP = MAIN.that(new DescribedPredicate<>("of the app") {
		@Override
		public boolean test(JavaClass type) {
			return !type.getPackageName().startsWith("live.retwis.locks");
		}
	});

	@Test
	void thereIsSomethingToLookAt() {
		assertThat(APP.stream().map(JavaClass::getSimpleName)).contains("HomeHandler", "DataNode", "LiveFeed")
			.doesNotContain("ArchitectureTests", "Site");
		assertThat(MAIN.stream().map(JavaClass::getPackageName))
			.anyMatch((name) -> name.startsWith("live.retwis.locks"));
	}

	@Test
	void featuresFormNoCycles() {
		SlicesRuleDefinition.slices().matching("live.retwis.(*)..").should().beFreeOfCycles().check(APP);
	}

	@Test
	void whatFeaturesShareKnowsNoFeature() {
		noClasses().that()
			.resideInAnyPackage("live.retwis.redis..", "live.retwis.web..")
			.should()
			.dependOnClassesThat()
			.resideInAnyPackage(Stream.of(FEATURES).map((name) -> "live.retwis." + name + "..").toArray(String[]::new))
			.check(MAIN);
		noClasses().that()
			.resideInAPackage("live.retwis.redis..")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("live.retwis.web..")
			.check(MAIN);
	}

	/** Programs that take locks need nothing else of ours, and no Spring. */
	@Test
	void theLockLibraryDependsOnRedissonAndReactorAlone() {
		onlyDependsOn("live.retwis.locks", "live.retwis.locks", "org.redisson..", "reactor.core..", "reactor.util..",
				"org.reactivestreams", "io.netty..", "io.micrometer.core..", "org.slf4j..", "org.jspecify.annotations");
	}

	@Test
	void theNodesKnowNoLocks() {
		onlyDependsOn("live.retwis.locks.nodes", "live.retwis.locks.nodes", "org.redisson..", "io.netty..",
				"org.slf4j..", "org.jspecify.annotations");
	}

	@Test
	void theLabKnowsNoSpring() {
		onlyDependsOn("live.retwis.locks.lab..", "live.retwis.locks..", "org.redisson..", "reactor..",
				"org.reactivestreams", "io.netty..", "tools.jackson..", "com.fasterxml.jackson..", "picocli",
				"org.slf4j..", "org.jspecify.annotations");
	}

	private static void onlyDependsOn(String packages, String... others) {
		classes().that()
			.resideInAPackage(packages)
			.should()
			.onlyDependOnClassesThat()
			.resideInAnyPackage(Stream.concat(Stream.of("java..", "javax.."), Stream.of(others)).toArray(String[]::new))
			.check(MAIN);
	}

	@Test
	void handlersAndOnlyTheyServeRoutes() {
		classes().that()
			.implement(SiteRoutes.class)
			.and()
			.doNotHaveSimpleName("StaticFiles")
			.should()
			.haveSimpleNameEndingWith("Handler")
			.check(APP);
		classes().that().haveSimpleNameEndingWith("Handler").should().implement(SiteRoutes.class).check(APP);
	}

	@Test
	void repositoriesAreCalledSo() {
		classes().that().haveSimpleNameEndingWith("Repository").should().beAnnotatedWith(Repository.class).check(APP);
	}

	/** Of classes that are not within others. */
	@Test
	void noTwoClassesHaveTheSameName() {
		assertThat(MAIN.stream()
			.filter(JavaClass::isTopLevelClass)
			.map(JavaClass::getSimpleName)
			.filter((name) -> !name.equals("package-info"))).doesNotHaveDuplicates();
	}

	@Test
	void nothingIsCalledServiceManagerUtilOrImpl() {
		for (String suffix : new String[] { "Service", "Manager", "Util", "Utils", "Impl", "Helper" }) {
			noClasses().should().haveSimpleNameEndingWith(suffix).check(MAIN);
		}
	}

	@Test
	void nothingWaitsForAPublisher() {
		noClasses()
			.should(call((call) -> BLOCKING.contains(call.getName())
					&& call.getTargetOwner().isAssignableTo(Publisher.class), "wait for a publisher"))
			.check(APP);
		noClasses().that()
			.areNotAssignableTo(SiteCommand.class)
			.should(call(
					(call) -> WAITING.contains(call.getName()) && call.getTargetOwner().isAssignableTo(Publisher.class),
					"wait for a publisher"))
			.check(APP);
		noClasses()
			.should(call((call) -> call.getName().equals("sleep") && call.getTargetOwner().isEquivalentTo(Thread.class),
					"sleep"))
			.check(APP);
	}

	@Test
	void onlyWhatIsStartedAndStoppedSubscribes() {
		classes().that()
			.areNotAssignableTo(SmartLifecycle.class)
			.should(never(call((call) -> call.getName().equals("subscribe")
					&& call.getTargetOwner().isAssignableTo(Publisher.class), "subscribe")))
			.check(APP);
	}

	@Test
	void settingsAreInPropertiesRecords() {
		classes().that()
			.areAnnotatedWith(ConfigurationProperties.class)
			.should()
			.haveSimpleNameEndingWith("Properties")
			.andShould()
			.beRecords()
			.check(APP);
	}

	private static ArchCondition<JavaClass> call(Predicate<JavaMethodCall> calls, String name) {
		return new ArchCondition<>(name) {
			@Override
			public void check(JavaClass type, ConditionEvents events) {
				type.getMethodCallsFromSelf()
					.stream()
					.filter(calls)
					.forEach((call) -> events.add(SimpleConditionEvent.satisfied(call, call.getDescription())));
			}
		};
	}

	private static ArchCondition<JavaClass> never(ArchCondition<JavaClass> condition) {
		return ArchConditions.never(condition);
	}

}
