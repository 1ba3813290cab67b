package live.retwis.demo;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.lettuce.core.Range;
import io.lettuce.core.StreamMessage;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestPorts;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.LogBacklog;
import live.retwis.redis.DataNodeMemory;
import live.retwis.testing.NodeConnections;
import live.retwis.testing.Site;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(60)
@ExtendWith(RedisExtension.class)
class DemoTests {

	private static final Duration BOUND = Duration.ofSeconds(30);

	@Test
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
			assertThat(told.get(0)).startsWith("The password of all users of this demo is ");
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
	void aDemoGoesOnWhenTheLogTakesEntriesAgain(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			LogBacklog backlog = site.bean(LogBacklog.class);
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
	void aDemoGoesOnWhenTheDataNodeHasRoomAgain(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis)) {
			register(site);
			List<String> told = new CopyOnWriteArrayList<>();
			Disposable demo = run(site, 1).subscribe(told::add);
			DataNodeMemory memory = site.bean(DataNodeMemory.class);
			String used = site.redis().info("memory").replaceAll("(?s).*used_memory:(\\d+).*", "$1");
			site.redis().configSet("maxmemory", String.valueOf(Long.parseLong(used) * 105 / 100));
			Awaitility.await().until(memory::isNearlyFull);
			int before = told.size();
			Awaitility.await().during(Duration.ofMillis(1500)).until(() -> told.size() <= before + 1);
			site.redis().configSet("maxmemory", "0");
			Awaitility.await().until(() -> told.size() > before + 1);
			demo.dispose();
		}
	}

	@Test
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

	/** A run that ends when all users are registered. */
	private static void register(Site site) {
		run(site, 1).takeUntil((line) -> line.startsWith("Registered ")).blockLast(BOUND);
	}

	private static Flux<String> run(Site site, long seed) {
		return site.bean(Demo.class).run(true, seed);
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
