package live.retwis.demo;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;

import io.lettuce.core.Range;
import io.lettuce.core.StreamMessage;
import live.retwis.account.AccountSuspension;
import live.retwis.account.SuspendedAccountsCache;
import live.retwis.account.User;
import live.retwis.account.UsernameRepository;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestPorts;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.LogAdmissionControl;
import live.retwis.post.RenderedPosts;
import live.retwis.redis.DataNodeMemory;
import live.retwis.testing.NodeConnections;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(60)
@ExtendWith(RedisExtension.class)
class DemoTests {

	private static final Duration BOUND = Duration.ofSeconds(30);

	/** A seed whose first choice among few is the first, so a post is a reply. */
	private static final long THAT_REPLIES = 4096;

	@Test
	@Tag("slow")
	@Tag("long")
	void aDemoThatIsStoppedFinishesThePostThatItHasBegun() throws Exception {
		try (RedisProcess redis = RedisProcess.start(RedisProcessOptions.DEFAULT.withPort(TestPorts.next()));
				FaultProxy proxy = FaultProxy.to("127.0.0.1", redis.port());
				Interception half = proxy.at(SentCommand.named("EVALSHA").and(SentCommand.containing("post:")))
					.nth(3)
					.holdReply()) {
			Site site = Site.startAt("127.0.0.1", proxy.port());
			DemoStepRunner steps = site.bean(DemoStepRunner.class);
			List<String> told = new CopyOnWriteArrayList<>();
			Disposable demo = site.bean(Demo.class).run(false, 1).subscribe(told::add);
			half.awaitMet();
			assertThat(told.get(0)).startsWith("The password of all users that this demo registers is ");
			CompletableFuture<Void> end = CompletableFuture.runAsync(site::close);
			Awaitility.await().until(() -> !steps.isRunning());
			assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> end.get(1, TimeUnit.SECONDS));
			half.close();
			end.get(30, TimeUnit.SECONDS);
			demo.dispose();
			List<String> stored = NodeConnections.ask(redis, (node) -> node.keys("post:*"));
			List<StreamMessage<String, String>> log = NodeConnections.ask(redis,
					(node) -> node.xrange("{live}:log", Range.unbounded()));
			assertThat(log).filteredOn((entry) -> "post".equals(entry.getBody().get("type")))
				.extracting((entry) -> "post:" + entry.getBody().get("post"))
				.containsExactlyInAnyOrderElementsOf(stored)
				.isNotEmpty();
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aDemoNeverPostsInTheNameOfAVisitor(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			Visitor clara = Visitor.registered(site, "clara");
			register(site);
			long seed = seedThatBeginsWith("clara");
			assertThat(run(site, seed).take(2).collectList().block(BOUND)).satisfiesExactly(
					(first) -> assertThat(first).startsWith("The users of an earlier demo are here"),
					(post) -> assertThat(post).startsWith("@").doesNotStartWith("@clara:"));
			assertThat(clara.get("/@clara").posts()).isEmpty();
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aDemoSaysSoWhenVisitorsHaveAllItsNames(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			DemoTexts.NAMES.forEach((name) -> Visitor.registered(site, name));
			StepVerifier.create(run(site, 1))
				.verifyErrorSatisfies((error) -> assertThat(error).isInstanceOf(Demo.NobodyException.class)
					.hasMessageContaining("of an older version"));
		}
	}

	@Test
	void theOthersPostOnWhenAUserOfTheDemoIsSuspended(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			register(site);
			suspend(site, "ada");
			assertThat(run(site, seedThatBeginsWith("ada")).take(2).collectList().block(BOUND)).satisfiesExactly(
					(first) -> assertThat(first).startsWith("The users of an earlier demo are here"),
					(post) -> assertThat(post).startsWith("@").doesNotStartWith("@ada:"));
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aDemoGoesOnWhenTheLogTakesEntriesAgain(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			LogAdmissionControl backlog = site.bean(LogAdmissionControl.class);
			String last = run(site, 1).doOnNext((line) -> {
				if (line.startsWith("Registered ")) {
					// Until the monitor counts again.
					backlog.waits(Long.MAX_VALUE);
				}
			}).takeUntil((line) -> line.startsWith("They follow")).blockLast(BOUND);
			assertThat(last).startsWith("They follow");
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aDemoGoesOnWhenTheDataNodeHasRoomAgain(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			register(site);
			List<String> told = new CopyOnWriteArrayList<>();
			Disposable demo = run(site, 1).subscribe(told::add);
			DataNodeMemory memory = site.bean(DataNodeMemory.class);
			String used = site.redis().info("memory").replaceAll("(?s).*used_memory:(\\d+).*", "$1");
			site.redis().configSet("maxmemory", used);
			Awaitility.await().until(memory::isNearlyFull);
			int before = told.size();
			Awaitility.await().during(Duration.ofMillis(1500)).until(() -> told.size() <= before + 1);
			site.redis().configSet("maxmemory", "0");
			Awaitility.await().until(() -> told.size() > before + 1);
			demo.dispose();
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aDemoGoesOnWhenReplicasConfirmItsPostsAgain(@OwnRedis TestRedis master, @OwnRedis TestRedis replica) {
		try (Site site = Site.start(master, "--retwis.redis.wait-replicas=1", "--retwis.redis.wait-timeout=100ms")) {
			register(site);
			List<String> told = new CopyOnWriteArrayList<>();
			Disposable demo = run(site, 1).subscribe(told::add);
			Awaitility.await().until(() -> !site.keys("post:*").isEmpty());
			replica.follow(master);
			Awaitility.await().atMost(BOUND).until(() -> told.size() > 1);
			demo.dispose();
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void theOthersPostOnWhenAUserDeletesTheAccountOrIsSuspendedUntilNobodyIsLeft(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			registerAllBut(site, "ada", "amara", "anouk");
			registerForTheDemo(site, "ada", "amara", "anouk");
			List<String> told = new CopyOnWriteArrayList<>();
			CompletableFuture<String> end = run(site, 1).doOnNext(told::add).last().toFuture();
			Awaitility.await().until(() -> told.size() > 1);
			assertThat(Visitor.signedIn(site, "ada").submit("/settings/delete", "password", Visitor.PASSWORD).status())
				.isEqualTo(303);
			suspend(site, "amara");
			int before = told.size() + 2;
			Awaitility.await().atMost(BOUND).until(() -> told.size() > before + 3);
			assertThat(told.subList(before, told.size())).allSatisfy((line) -> assertThat(line).startsWith("@anouk:"));
			suspend(site, "anouk");
			assertThat(end).failsWithin(BOUND).withThrowableThat().withCauseInstanceOf(Demo.NobodyException.class);
		}
	}

	@Test
	void aReplyThatIsSentAgainIsMadeOnceAlsoWhenThePostIsGone(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			registerForTheDemo(site, "ada");
			User ada = Objects.requireNonNull(site.bean(UsernameRepository.class).findUser("ada").block(BOUND));
			DemoPostWriter posts = site.bean(DemoPostWriter.class);
			posts.post(ada, new Random(1)).block(BOUND);
			String parent = site.keys("post:*").get(0).substring("post:".length());
			Mono<String> reply = posts.post(ada, new Random(THAT_REPLIES));
			Mono<String> late = posts.post(ada, new Random(THAT_REPLIES));
			assertThat(DemoTexts.REPLIES).anyMatch(makeTwice(reply)::endsWith);
			assertThat(site.keys("post:*")).hasSize(2);
			Visitor.signedIn(site, "ada").submit("/posts/" + parent + "/delete");
			Awaitility.await().until(() -> site.bean(RenderedPosts.class).find(parent).blockOptional(BOUND).isEmpty());
			assertThat(DemoTexts.REPLIES).as("made before").anyMatch(makeTwice(reply)::endsWith);
			assertThat(DemoTexts.POSTS).anyMatch(makeTwice(late)::endsWith);
			assertThat(site.keys("post:*")).hasSize(3);
		}
	}

	private static String makeTwice(Mono<String> post) {
		String told = Objects.requireNonNull(post.block(BOUND));
		assertThat(post.block(BOUND)).isEqualTo(told);
		return told;
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aDemoPassesOverAFollowThatABlockForbids(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			registerAllBut(site, "ada", "amara", "anouk");
			registerForTheDemo(site, "ada", "amara");
			assertThat(Visitor.signedIn(site, "ada").submit("/@amara/block").status()).isEqualTo(303);
			assertThat(run(site, 1).takeUntil((line) -> line.startsWith("They follow")).blockLast(BOUND))
				.startsWith("They follow");
		}
	}

	@Test
	void aDemoThatBrokeOffWhileItRegisteredGoesOnUnlessThereAreOthers(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			registerForTheDemo(site, "ada", "amara");
			Flux<String> demo = site.bean(Demo.class).run(false, 1);
			assertThat(demo.blockFirst(BOUND)).startsWith("The password of all users");
			Visitor.registered(site);
			StepVerifier.create(demo).expectError(Demo.StoreNotEmptyException.class).verify(BOUND);
		}
	}

	/** Registers users whom the demo takes for its own. */
	private static void registerForTheDemo(Site site, String... names) {
		site.bean(DemoPeople.class).register(List.of(names), Visitor.PASSWORD).block(BOUND);
	}

	/** Visitors take all names of the demo but these. */
	private static void registerAllBut(Site site, String... names) {
		DemoTexts.NAMES.stream()
			.filter((name) -> !List.of(names).contains(name))
			.forEach((name) -> Visitor.registered(site, name));
	}

	private static void suspend(Site site, String name) {
		String id = Objects.requireNonNull(site.bean(UsernameRepository.class).findId(name).block(BOUND));
		site.bean(AccountSuspension.class).set(id, true).block(BOUND);
		Awaitility.await().until(() -> site.bean(SuspendedAccountsCache.class).contains(id));
	}

	/** A run that ends when all users are registered. */
	private static void register(Site site) {
		run(site, 1).takeUntil((line) -> line.startsWith("Registered ")).blockLast(BOUND);
	}

	private static Flux<String> run(Site site, long seed) {
		return site.bean(Demo.class).run(true, seed);
	}

	/** A seed whose first choice among all names is this one. */
	private static long seedThatBeginsWith(String name) {
		return LongStream.iterate(0, (seed) -> seed + 1)
			.filter((seed) -> DemoTexts.NAMES.get(new Random(seed).nextInt(DemoTexts.NAMES.size())).equals(name))
			.findFirst()
			.orElseThrow();
	}

	@Test
	void aDemoGoesOnRegisteringWhenTheDataNodeHasBeenAway() {
		try (RedisProcess redis = RedisProcess.start(RedisProcessOptions.DEFAULT.withPort(TestPorts.next()));
				FaultProxy proxy = FaultProxy.to("127.0.0.1", redis.port());
				Interception cut = proxy.at(SentCommand.containing("username:anouk")).nth(2).cutBefore();
				Site site = Site.startAt("127.0.0.1", proxy.port())) {
			Disposable demo = site.bean(Demo.class).run(false, 1).subscribe();
			cut.awaitMet();
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.until(() -> NodeConnections.ask(redis, (node) -> node.keys("username:*")).size() > 6);
			demo.dispose();
		}
	}

}
