package live.retwis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.lang.conditions.ArchConditions;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import live.retwis.locking.GuardedWrites;
import live.retwis.locks.RedLock;
import live.retwis.log.IntentRecovery;
import live.retwis.web.RouteContributor;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.util.function.Tuple2;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Repository;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rules of the design.
 */
class ArchitectureTests {

	/**
	 * Other packages that each package may use. Technical packages come first, then the
	 * features; a package may use only packages above it. Adding a package to a line is a
	 * decision about the design.
	 */
	private static final Map<String, Set<String>> MAY_USE = table("""
			startup
			logging
			background
			text
			files         background
			i18n          files
			redis         background
			log           background redis
			limit         redis
			archive       background redis startup text
			web           archive files i18n limit logging redis startup
			locking         log redis startup
			fanout        background log redis
			picture       i18n
			account       background locking i18n limit log logging picture redis text web
			export        account i18n limit picture redis web
			removal       account fanout log
			restriction         account export i18n limit log redis removal web
			post          account archive restriction fanout files i18n limit log logging redis text web
			atom          post web
			follow        account restriction export i18n limit log redis removal web
			reaction      account archive background restriction export fanout i18n limit log post redis removal web
			repost        account restriction i18n limit log post redis web
			tag           account archive background restriction fanout atom i18n limit log post redis text web
			timeline      account archive background restriction export fanout files follow i18n limit log post redis
			              removal repost tag web
			profile       account archive restriction atom follow i18n limit post redis timeline web
			delivery      account archive background fanout follow log post redis removal repost timeline
			search        account archive restriction fanout follow i18n limit log post redis removal tag text web
			bookmark      account export i18n limit log post redis removal web
			mention       account restriction export i18n log post redis removal text web
			notification  account archive background restriction export fanout follow i18n log post reaction redis
			              removal repost text web
			moderation    account archive restriction i18n limit post redis removal text web
			live          account archive restriction follow i18n limit log logging post redis startup text web
			lab           account background i18n limit live redis web
			learn         account background i18n limit redis web
			cluster
			xray          account background fanout follow i18n limit live log logging redis timeline web
			breaking      account cluster i18n limit live log logging redis web
			demo          account restriction follow log post redis web
			importing     account archive restriction delivery follow log post redis repost text timeline
			doctor        account archive restriction fanout follow locking lab log mention moderation notification
			              picture post reaction redis repost search tag text timeline
			""");

	/** Packages that the root package may use. */
	private static final Set<String> PROGRAM_MAY_USE = Set.of("account", "cluster", "demo", "doctor", "importing",
			"logging", "moderation", "redis", "startup");

	/** Components of properties records are not counted. */
	private static final int MOST_DEPENDENCIES = 5;

	/** Classes that need more dependencies, with the reason. */
	private static final Map<String, String> MORE_DEPENDENCIES = Map.ofEntries(
			Map.entry("Posting", "the steps of a post"),
			Map.entry("PostingHandler", "the form, who may send it, and where its post goes"),
			Map.entry("AccountDeletion", "the steps of a deletion"),
			Map.entry("Registration", "the steps of a registration"),
			Map.entry("Moderation", "what an operator does to posts, users and the registration"),
			Map.entry("RegisterHandler", "the form, what it may hold, and the session that begins"),
			Map.entry("PasswordHandler", "the password before and the one after, and the sessions that end"),
			Map.entry("FollowerTimelines", "both sides of each follower"),
			Map.entry("FollowRepository", "both sides of a follow, and how often they are compared"),
			Map.entry("LikesAndRepliesArchive", "a list in either store, and changes to it that must not be late"),
			Map.entry("ArchivedAuthorRestore", "all that the archive can bring back"),
			Map.entry("DeletedAccountArchiveEraser", "both stores, and who has to hear of it"),
			Map.entry("ArchiveMover", "both stores, and how many posts have moved"),
			Map.entry("LikesAndRepliesMover", "both stores, and whose turn it is"),
			Map.entry("ArchiveReconciler", "both stores, who hears of it, and how much waits for one of them"),
			Map.entry("ArchiveSearchIndexer", "the posts of both stores, and by what they are found"),
			Map.entry("HomeTimelineReader", "all sources of a home timeline"),
			Map.entry("PostFanOut", "all that is done with a post, and what of it is passed over"),
			Map.entry("DeletionFanOut", "all lists that a post may be in"),
			Map.entry("PostPageHandler", "a post with all that stands around it"),
			Map.entry("NotificationPageReader", "a list, and the posts and users that it shows"),
			Map.entry("HomeTimelineHandler", "a timeline and a form, and whom to follow when it is empty"),
			Map.entry("SearchHandler", "what was found, and what is suggested before"),
			Map.entry("FollowListHandler", "both lists of a user, with their frame"),
			Map.entry("ReactingUsersHandler", "a post and a list of users, with their frame"),
			Map.entry("AccountRules", "the rules of users, some of them in classes of their own"));

	/** A line that begins with a space goes on with the line above. */
	private static Map<String, Set<String>> table(String text) {
		return text.replaceAll("\n +", " ")
			.lines()
			.map((line) -> List.of(line.strip().split(" +")))
			.collect(Collectors.toMap((names) -> names.get(0), (names) -> Set.copyOf(names.subList(1, names.size())),
					(one, other) -> one, LinkedHashMap::new));
	}

	private static final Set<String> BLOCKING = Set.of("block", "blockOptional", "blockFirst", "blockLast");

	/** A command may block with these methods, because it has nothing else to do. */
	private static final Set<String> WAITING = Set.of("toStream", "toIterable");

	private static final Set<String> FUTURES = Set.of("toFuture", "fromFuture", "fromCompletionStage");

	/** Classes that need no recorder at a future, with the reason. */
	private static final Map<String, String> WITHOUT_RECORDER = Map.ofEntries(
			Map.entry("Uncancellable", "passes the whole context on"),
			Map.entry("RateLimiter", "passes the whole context on"),
			Map.entry("BulkCacheReads", "waits for loads that have begun"),
			Map.entry("InstanceLogPosition", "waits for the log"), Map.entry("PasswordHasher", "asks no Redis"),
			Map.entry("LabRunner", "a run, not a page"), Map.entry("DemoStepRunner", "a command, not a page"),
			Map.entry("StreamOpener", "a stream, not a page"), Map.entry("WebFluxOutlet", "a stream, not a page"),
			Map.entry("LockStartupCheck", "the start of the instance"),
			Map.entry("ArchiveOpener", "the start of the instance"),
			Map.entry("ExperimentRunner", "asks no Redis of the site"));

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
	void theClassesOfAllModulesAreExamined() {
		assertThat(APP.stream().map(JavaClass::getSimpleName))
			.contains("HomeTimelineHandler", "DataNodeCommands", "LiveFeed")
			.doesNotContain("ArchitectureTests", "Site");
		assertThat(MAIN.stream().map(JavaClass::getPackageName))
			.anyMatch((name) -> name.startsWith("live.retwis.locks"));
	}

	@Test
	void featuresDoNotDependOnEachOtherInCycles() {
		SlicesRuleDefinition.slices().matching("live.retwis.(*)..").should().beFreeOfCycles().check(APP);
	}

	@Test
	void aPackageStandsBelowThoseThatItMayUse() {
		Set<String> above = new HashSet<>();
		MAY_USE.forEach((name, mayUse) -> {
			assertThat(above).as(name).containsAll(mayUse);
			above.add(name);
		});
	}

	@Test
	void eachPackageUsesOnlyWhatItMay() {
		assertThat(APP.stream().map(ArchitectureTests::feature).filter((name) -> !name.isEmpty()).distinct())
			.containsExactlyInAnyOrderElementsOf(MAY_USE.keySet());
		for (JavaClass type : APP) {
			String own = feature(type);
			Set<String> mayUse = own.isEmpty() ? PROGRAM_MAY_USE : MAY_USE.getOrDefault(own, Set.of());
			assertThat(type.getDirectDependenciesFromSelf()
				.stream()
				.filter((dependency) -> APP.contain(dependency.getTargetClass().getName()))
				.filter((dependency) -> !feature(dependency.getTargetClass()).equals(own))
				.filter((dependency) -> !mayUse.contains(feature(dependency.getTargetClass())))
				.map(Dependency::getDescription)).as(type.getName()).isEmpty();
		}
	}

	/**
	 * The first part of the package name below the site's package; empty for the root
	 * package.
	 */
	private static String feature(JavaClass type) {
		String[] parts = type.getPackageName().split("\\.");
		return (parts.length > 2) ? parts[2] : "";
	}

	@Test
	void aClassHasFewDependenciesOrAReasonForMore() {
		Set<String> many = APP.stream()
			.filter((type) -> type.isMetaAnnotatedWith(Component.class))
			.filter((type) -> type.getConstructors()
				.stream()
				.anyMatch((constructor) -> collaborators(constructor) > MOST_DEPENDENCIES))
			.map(JavaClass::getSimpleName)
			.collect(Collectors.toSet());
		assertThat(many).isEqualTo(MORE_DEPENDENCIES.keySet());
	}

	private static long collaborators(JavaConstructor constructor) {
		return constructor.getRawParameterTypes()
			.stream()
			.filter((type) -> !type.getSimpleName().endsWith("Properties"))
			.count();
	}

	/**
	 * Other programs can use the lock library without Spring and without other parts of
	 * this project.
	 */
	@Test
	void theLockLibraryDependsOnRedissonAndReactorAlone() {
		onlyDependsOn("live.retwis.locks", "live.retwis.locks", "org.redisson..", "reactor.core..", "reactor.util..",
				"org.reactivestreams", "io.netty..", "io.micrometer.core..", "org.slf4j..", "org.jspecify.annotations");
	}

	/** So the lock library works without Micrometer. */
	@Test
	void onlyTheListenerForMetricsUsesMicrometerInTheLockLibrary() {
		noClasses().that()
			.resideInAPackage("live.retwis.locks")
			.and()
			.doNotHaveSimpleName("MicrometerLockListener")
			.should()
			.dependOnClassesThat()
			.resideInAPackage("io.micrometer..")
			.check(MAIN);
	}

	@Test
	void theModuleOfTheNodesDoesNotUseTheLocks() {
		onlyDependsOn("live.retwis.locks.nodes..", "live.retwis.locks.nodes..", "org.redisson..", "io.netty..",
				"org.slf4j..", "org.jspecify.annotations");
	}

	@Test
	void theModuleOfTheLabDoesNotUseSpring() {
		onlyDependsOn("live.retwis.locks.lab..", "live.retwis.locks..", "org.redisson..", "reactor.core..",
				"org.reactivestreams", "tools.jackson..", "com.fasterxml.jackson..", "picocli", "org.slf4j..",
				"org.jspecify.annotations");
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
	void onlyHandlersServeRoutes() {
		classes().that()
			.implement(RouteContributor.class)
			.and()
			.doNotHaveSimpleName("StaticFiles")
			.should()
			.haveSimpleNameEndingWith("Handler")
			.check(APP);
		classes().that().haveSimpleNameEndingWith("Handler").should().implement(RouteContributor.class).check(APP);
	}

	/**
	 * Everything else uses Spring Data's template, see
	 * {@code docs/decisions/one-way-to-redis.md}.
	 */
	@Test
	void onlyTheDataNodeSpeaksToTheRedisClient() {
		assertThat(APP.stream()
			.filter((type) -> type.getDirectDependenciesFromSelf()
				.stream()
				.anyMatch((dependency) -> dependency.getTargetClass().getPackageName().startsWith("io.lettuce")))
			.map((type) -> type.getName().replaceAll("\\$.*", "").replaceAll(".*\\.", ""))
			.distinct()).containsExactlyInAnyOrder("DataNodeCommands", "MultiplexedConnection",
					"RedisClientConfiguration", "RedisEventLoopConfiguration", "Utf8Codec", "CommandTracing");
	}

	@Test
	void everyRepositoryHasTheRepositoryAnnotation() {
		classes().that().haveSimpleNameEndingWith("Repository").should().beAnnotatedWith(Repository.class).check(APP);
	}

	/**
	 * Nested classes may share a name with each other: a handler's {@code View} is what
	 * its template shows, its {@code Json} what it answers in JSON.
	 */
	@Test
	void noClassHasTheNameOfATopLevelClass() {
		List<String> names = MAIN.stream()
			.filter(JavaClass::isTopLevelClass)
			.map(JavaClass::getSimpleName)
			.filter((name) -> !name.equals("package-info"))
			.toList();
		assertThat(names).doesNotHaveDuplicates();
		assertThat(MAIN.stream()
			.filter((type) -> !type.isTopLevelClass() && names.contains(type.getSimpleName()))
			.map(JavaClass::getName)).isEmpty();
	}

	/** Also not in tests. */
	@Test
	void noTwoJavaFilesHaveTheSameName() throws IOException {
		try (Stream<Path> files = Stream.of("../app/src", "../locks/core/src", "../locks/nodes/src", "../locks/lab/src")
			.flatMap((folder) -> walk(Path.of(folder)))) {
			assertThat(files.map((file) -> file.getFileName().toString())
				.filter((name) -> name.endsWith(".java") && !name.matches("(package|module)-info.java")))
				.hasSizeGreaterThan(1000)
				.doesNotHaveDuplicates();
		}
	}

	private static Stream<Path> walk(Path folder) {
		try {
			return Files.walk(folder);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Test
	void nothingIsCalledServiceManagerUtilOrImpl() {
		for (String suffix : new String[] { "Service", "Manager", "Util", "Utils", "Impl", "Helper" }) {
			noClasses().should().haveSimpleNameEndingWith(suffix).check(MAIN);
		}
	}

	@Test
	void noMainCodeBlocksOnAPublisher() {
		noClasses()
			.should(call((call) -> BLOCKING.contains(call.getName())
					&& call.getTargetOwner().isAssignableTo(Publisher.class), "wait for a publisher"))
			.check(APP);
		noClasses().that()
			.areNotAssignableTo(AbstractSiteCommand.class)
			.should(call(
					(call) -> WAITING.contains(call.getName()) && call.getTargetOwner().isAssignableTo(Publisher.class),
					"wait for a publisher"))
			.check(APP);
		noClasses()
			.should(call((call) -> call.getName().equals("sleep") && call.getTargetOwner().isEquivalentTo(Thread.class),
					"sleep"))
			.check(APP);
	}

	/** A zip with a function, or {@code TupleUtils}, gives each value a name. */
	@Test
	void noMainCodeReadsAValueOfATupleByItsPosition() {
		noClasses().should()
			.accessTargetWhere(DescribedPredicate.describe("a value of a tuple is read by its position",
					(access) -> access.getName().matches("getT[1-8]")
							&& access.getTargetOwner().isAssignableTo(Tuple2.class)))
			.check(MAIN);
	}

	/**
	 * A future has no Reactor context. {@code CommandRecorderContext} carries across it
	 * on whose behalf commands are sent.
	 */
	@Test
	void futuresKeepTheRecorderOfTheirRequest() {
		classes().that()
			.haveSimpleNameNotEndingWith("CommandRecorderContext")
			.should(never(call(
					(call) -> call.getTargetOwner().isEquivalentTo(Mono.class) && FUTURES.contains(call.getName())
							&& !WITHOUT_RECORDER.containsKey(
									call.getOriginOwner().getName().replaceAll("\\$.*", "").replaceAll(".*\\.", "")),
					"turn a Mono into a future or back")))
			.check(APP);
	}

	@Test
	void onlyBeansWithALifecycleSubscribe() {
		classes().that()
			.areNotAssignableTo(SmartLifecycle.class)
			.should(never(call((call) -> call.getName().equals("subscribe")
					&& call.getTargetOwner().isAssignableTo(Publisher.class), "subscribe")))
			.check(APP);
	}

	/** A write of several steps that has no intent may be lost half-way. */
	@Test
	void onlyTheDoctorAndTheRecoveryOfIntentsWriteUnderALeaseWithoutAnIntent() {
		classes().that()
			.resideOutsideOfPackages("live.retwis.locking", "live.retwis.doctor")
			.and()
			.areNotAssignableTo(IntentRecovery.class)
			.should(never(call((call) -> call.getName().startsWith("repair")
					&& call.getTargetOwner().isEquivalentTo(GuardedWrites.class), "repair without an intent")))
			.check(APP);
		noClasses().that()
			.resideOutsideOfPackages("live.retwis.locking", "live.retwis.locks..")
			.should(call(
					(call) -> call.getName().equals("withLock") && call.getTargetOwner().isAssignableTo(RedLock.class),
					"take a lock by itself"))
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
