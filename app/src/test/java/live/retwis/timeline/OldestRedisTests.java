package live.retwis.timeline;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

import live.retwis.doctor.Doctor;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.testing.RedisRelease;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Timelines work with the oldest supported Redis release.
 */
@Timeout(120)
class OldestRedisTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	@Test
	void postsArePushedInTasksPulledAndDeletedWithTheirAuthor() {
		try (RedisProcess redis = RedisRelease.OLDEST.start();
				Site site = Site.startAt("127.0.0.1", redis.port(), "--retwis.follow.shard=2",
						"--retwis.timeline.push-limit=5", "--retwis.locks.lease=1s")) {
			assertThat(site.redis().info("server")).contains("redis_version:6.2.");
			Visitor author = Visitor.registered(site);
			List<Visitor> readers = IntStream.range(0, 6).mapToObj((i) -> Visitor.registered(site)).toList();
			readers.subList(0, 5).forEach((reader) -> reader.follow(author));
			author.post("pushed");
			String deleted = author.post("deleted");
			readers.forEach((reader) -> Awaitility.await()
				.atMost(SOON)
				.until(() -> reader == readers.get(5) || reader.get("/home").posts().size() == 2));
			readers.get(5).follow(author);
			author.post("pulled");
			author.get("/posts/" + deleted);
			author.submit("/posts/" + deleted + "/delete");
			readers.forEach((reader) -> Awaitility.await()
				.atMost(SOON)
				.until(() -> reader.get("/home").posts().equals(List.of("pulled", "pushed"))));
			assertThat(site.redis().hgetall("{followers:" + author.id() + "}:shards")).containsEntry("last", "2");
			assertEveryRuleHolds(site);

			author.get("/settings");
			assertThat(author.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
			Awaitility.await().atMost(SOON).until(() -> site.redis().exists("username:" + author.name()) == 0);
			readers.forEach((reader) -> assertThat(reader.get("/home").posts()).isEmpty());
			assertEveryRuleHolds(site);
		}
	}

	private static void assertEveryRuleHolds(Site site) {
		assertThat(Objects.requireNonNull(site.bean(Doctor.class).examine(false, true, (progress) -> {
		}).map(Doctor.Line::text).collectList().block(SOON))).singleElement().asString().endsWith("every rule holds.");
	}

}
