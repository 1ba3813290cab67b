package live.retwis.faults;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;

import live.retwis.archive.OldStore;
import live.retwis.ops.ComposeService;
import live.retwis.ops.ComposeSite;
import live.retwis.ops.PageVisits;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.SeamReaders;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The faults of {@link ComposeIT}, for every part in turn. Users read and post all the
 * time.
 */
@Timeout(420)
@SuppressWarnings("NullAway.Init")
class ComposeChaos {

	private static final Logger log = LoggerFactory.getLogger(ComposeChaos.class);

	/** Longest time until old posts have moved. */
	private static final Duration MOVED = Duration.ofSeconds(90);

	private static final long SEED = Long.getLong("chaos.seed", System.nanoTime());

	private static final Random random = new Random(SEED);

	private static ComposeSite site;

	private static ComposeStore store;

	private static LoadBalancer nginx;

	private static WorkloadPeople people;

	@BeforeAll
	static void up() {
		ComposeSite.assumeDocker();
		log.info("-Dchaos.seed={}", SEED);
		site = ComposeSite.up(3);
		store = new ComposeStore(site);
		nginx = new LoadBalancer(List.of(site.origin()));
		people = WorkloadPeople.register(nginx, random);
	}

	@AfterAll
	static void down() {
		if (store != null) {
			store.close();
		}
		if (site != null) {
			site.close();
		}
	}

	static Stream<String> services() {
		return Stream.of("app", "lock-1", "lock-2", "lock-3", "lock-4", "lock-5", "prometheus", "nginx", "archive",
				"redis");
	}

	@ParameterizedTest
	@MethodSource("services")
	void theSiteSurvivesWhenAPartIsKilledAndComesBackByItself(String service) {
		whileStreamsAreRead((workload) -> inTurn(service, ComposeService::kill, () -> workload.awaitPosts(30)));
	}

	@ParameterizedTest
	@MethodSource("services")
	void theSiteSurvivesTheRestartOfAPart(String service) {
		whileStreamsAreRead((workload) -> inTurn(service, ComposeService::restart, () -> workload.awaitPosts(30)));
	}

	/** Only pages of old posts may be away. */
	@ParameterizedTest
	@MethodSource
	void noOldPostIsMissingOrThereTwiceWhenItsDatabaseFailsWhilePostsMove(Consumer<ComposeService> fault,
			Consumer<ComposeService> end) {
		Visitor author = Visitor.registered(site.origin());
		OldStore old = new OldStore(store.commands());
		List<String> moving = old.plant(author, 1000, 100);
		List<String> all = Stream.concat(old.plant(author, 25, 1).stream(), moving.stream()).toList();
		try (SeamReaders readers = SeamReaders.ofArchive()) {
			readers.read(Visitor.at(site.origin()), "/@" + author.name(), all);
			awaitMoved(moving.get(moving.size() - 1));
			ComposeService database = site.part("archive");
			fault.accept(database);
			readers.awaitAnswers(20);
			end.accept(database);
			site.awaitWell();
			awaitMoved(moving.get(0));
			readers.assertWhole();
			log.info("{} pages were away", readers.refused());
		}
	}

	static Stream<Arguments> noOldPostIsMissingOrThereTwiceWhenItsDatabaseFailsWhilePostsMove() {
		Consumer<ComposeService> none = (database) -> {
		};
		return Stream.of(Arguments.of(faultNamed("killed", ComposeService::kill), none),
				Arguments.of(faultNamed("restarted", ComposeService::restart), none),
				Arguments.of(faultNamed("paused", ComposeService::pause),
						(Consumer<ComposeService>) ComposeService::resume));
	}

	private static Named<Consumer<ComposeService>> faultNamed(String name, Consumer<ComposeService> fault) {
		return Named.of(name, fault);
	}

	private static void awaitMoved(String post) {
		Awaitility.await("a post moves")
			.atMost(MOVED)
			.pollInterval(Duration.ofMillis(20))
			.until(() -> store.commands().exists(Keys.post(post)) == 0);
	}

	/** Neither running nor new requests fail. */
	@Test
	void noRequestFailsWhenInstancesAreKilledOneAfterTheOther() {
		whileNoRequestFails((visits) -> inTurn("app", ComposeService::kill, () -> visits.await(20)));
	}

	@Test
	void noRequestFailsWhenInstancesAreRestartedOneAfterTheOther() {
		whileNoRequestFails((visits) -> inTurn("app", ComposeService::restart, () -> visits.await(20)));
	}

	@Test
	void noRequestFailsWhileAllInstancesAreReplaced() {
		whileNoRequestFails((visits) -> {
			site.script("upgrade.sh");
			site.awaitWell();
		});
	}

	@Test
	void noRequestFailsWhileInstancesComeAndGo() {
		whileNoRequestFails((visits) -> {
			for (int instances : new int[] { 1, 3, 1, 3 }) {
				site.scale(instances);
				visits.await(20);
			}
		});
	}

	@Test
	void streamsLoseNothingWhileInstancesComeAndGo() {
		whileStreamsAreRead((workload) -> {
			for (int instances : new int[] { 1, 3, 1, 3 }) {
				site.scale(instances);
				workload.awaitPosts(50);
			}
		});
	}

	@Test
	void noRequestFailsAndUsersCanRegisterWhileTwoLockNodesHang() {
		whileNoRequestFails((visits) -> {
			List<ComposeService> two = Stream.of("lock-2", "lock-4").map(site::part).toList();
			two.forEach(ComposeService::pause);
			try {
				for (int i = 0; i < 5; i++) {
					Visitor.registered(site.origin());
				}
				visits.await(20);
			}
			finally {
				two.forEach(ComposeService::resume);
			}
			site.awaitWell();
		});
	}

	/** A browser gives up a stream for good after any answer but 200. */
	@Test
	void withoutAnInstancePagesSayThatTheSiteWillBeBackAndStreamsAreToldToReconnect() {
		List<ComposeService> instances = site.parts("app");
		Visitor visitor = Visitor.at(site.origin());
		instances.forEach(ComposeService::stop);
		try {
			Answer page = visitor.get("/timeline");
			assertThat(page.status()).isEqualTo(503);
			assertThat(page.header("Retry-After")).isEqualTo("5");
			assertThat(page.header("Refresh")).isEqualTo("5");
			assertThat(page.body()).contains("lang=\"en\"", "lang=\"zh\"");
			Answer stream = visitor.get("/live/public");
			assertThat(stream.status()).isEqualTo(200);
			assertThat(stream.header("Content-Type")).isEqualTo("text/event-stream");
			assertThat(stream.body()).matches("retry: \\d{3,4}\n\n");
		}
		finally {
			instances.forEach(ComposeService::start);
		}
		site.awaitWell();
	}

	/**
	 * Harms one container after the other. The next one follows when all are healthy
	 * again.
	 */
	private static void inTurn(String service, Consumer<ComposeService> fault, Runnable goesOn) {
		for (ComposeService part : site.parts(service)) {
			fault.accept(part);
			goesOn.run();
			site.awaitWell();
		}
	}

	private static void whileStreamsAreRead(Consumer<Workload> fault) {
		try (Workload workload = Workload.start(people, nginx, store, random, 4, 50)) {
			workload.awaitPosts(30);
			fault.accept(workload);
			workload.awaitPosts(30);
			workload.settle(store).assertWhole();
			log.info("{} posts, {} forms sent again", workload.acknowledged(), workload.repeated());
		}
	}

	private static void whileNoRequestFails(Consumer<PageVisits> fault) {
		try (PageVisits visits = PageVisits.to(site.origin())) {
			visits.await(20);
			fault.accept(visits);
			visits.await(20);
			visits.assertWhole();
			log.info("{} posts, no request failed", visits.posts().size());
		}
	}

}
