package live.retwis.faults;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import live.retwis.ops.ComposeService;
import live.retwis.ops.ComposeSite;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The complete {@code docker-compose.yml} on a real Docker engine: three instances behind
 * nginx. One instance and one lock node are killed.
 */
@Timeout(420)
@SuppressWarnings("NullAway.Init")
class ComposeIT {

	private static final Logger log = LoggerFactory.getLogger(ComposeIT.class);

	private static final int INSTANCES = 3;

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private static final Random random = new Random(7);

	private static ComposeSite site;

	@BeforeAll
	static void up() {
		ComposeSite.assumeDocker();
		site = ComposeSite.up(INSTANCES);
	}

	@AfterAll
	static void down() {
		if (site != null) {
			site.close();
		}
	}

	@Test
	void everyInstanceServes() {
		assertThat(instancesThatServe()).hasSize(INSTANCES);
	}

	private static Set<String> instancesThatServe() {
		Set<String> seen = ConcurrentHashMap.newKeySet();
		Visitor visitor = Visitor.at(site.origin());
		Awaitility.await().atMost(LIMIT).until(() -> {
			seen.add(visitor.get("/timeline").header("X-Instance"));
			return seen.size() >= INSTANCES;
		});
		return seen;
	}

	@Test
	void visitorsCannotReachTheOperatorsAddresses() {
		assertThat(Visitor.at(site.origin()).get("/actuator/health").status()).isEqualTo(404);
		assertThat(Visitor.at(site.origin()).get("/actuator/prometheus").status()).isEqualTo(404);
	}

	@Test
	void prometheusReadsTheMetricsOfEveryInstance() {
		Visitor prometheus = Visitor.at(site.metrics());
		Awaitility.await().atMost(LIMIT).untilAsserted(() -> {
			JsonNode up = prometheus.getJson("/api/v1/query?query=up%3D%3D1").json().get("data").get("result");
			assertThat(up).hasSize(INSTANCES);
		});
	}

	@Test
	void anInstanceRunsAsNobodyAndCannotWriteFiles() {
		ComposeService instance = site.parts("app").get(0);
		assertThat(instance.run("id", "-u")).isEqualTo("10001");
		assertThatThrownBy(() -> instance.run("sh", "-c", "echo x > /app/x")).hasMessageContaining("Read-only");
	}

	@Test
	void redisAcceptsNobodyWithoutAPassword() {
		for (String service : List.of("redis", "lock-1")) {
			assertThat(site.part(service).run("redis-cli", "get", "x")).contains("NOAUTH");
		}
	}

	@Test
	void nothingIsLostWhileAnInstanceAndALockNodeAreKilled() {
		LoadBalancer nginx = new LoadBalancer(List.of(site.origin()));
		WorkloadPeople people = WorkloadPeople.register(nginx, random);
		try (ComposeStore store = new ComposeStore(site);
				Workload workload = Workload.start(people, nginx, store, random, 4, 50)) {
			workload.awaitPosts(50);
			ComposeService instance = site.parts("app").get(0);
			instance.kill();
			site.part("lock-1").kill();
			workload.awaitPosts(50);
			Visitor.registered(site.origin());
			site.awaitWell();
			assertThat(instance.restarts()).isEqualTo(1);
			workload.awaitPosts(50);
			WorkloadHistory history = workload.settle(store);
			history.assertWhole();
			log.info("{} posts, {} of whose forms were sent again, were read by {} streams", workload.acknowledged(),
					workload.repeated(), history.readings().size());
		}
	}

}
