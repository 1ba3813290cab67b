package live.retwis.importing;

import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import live.retwis.doctor.Doctor;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** A store that the PHP Retwis could have left, and an empty site that imports it. */
@ExtendWith(RedisExtension.class)
abstract class RetwisImportFixture {

	static final Duration BOUND = Duration.ofSeconds(60);

	static final long IN_2014 = Instant.parse("2014-05-01T12:00:00Z").getEpochSecond();

	static final long IN_2025 = Instant.parse("2025-05-01T12:00:00Z").getEpochSecond();

	final TestRedis source;

	final TestRedis target;

	final RedisClient client;

	final RedisCommands<String, String> old;

	final PhpRetwis retwis;

	RetwisImportFixture(@OwnRedis TestRedis source, @OwnRedis TestRedis target) {
		this.source = source;
		this.target = target;
		this.client = RedisClient.create(source.uri());
		this.old = this.client.connect().sync();
		this.retwis = PhpRetwis.of(2014, this.old);
	}

	@AfterEach
	void disconnect() {
		this.client.shutdown();
	}

	Site site(String... settings) {
		return Site.start(this.target,
				Stream.concat(Stream.of("--retwis.locks.lease=1s"), Stream.of(settings)).toArray(String[]::new));
	}

	List<String> run(Site site) {
		return run(site, this.source.uri());
	}

	static List<String> run(Site site, String from) {
		return Objects.requireNonNull(site.bean(RetwisImport.class).run(from).collectList().block(BOUND));
	}

	static void assertEveryRuleHolds(Site site) {
		assertThat(Objects.requireNonNull(site.bean(Doctor.class).examine(false, true, (progress) -> {
		}).map(Doctor.Line::text).collectList().block(BOUND))).singleElement().asString().endsWith("every rule holds.");
	}

	static Visitor signedIn(Site site, String name, String password) {
		Visitor visitor = Visitor.of(site);
		visitor.get("/login");
		assertThat(visitor.signIn(name, password).status()).isEqualTo(303);
		return visitor;
	}

	/** Everything that an import writes, by key. */
	static Map<String, String> stored(Site site) {
		return site.keys("*")
			.stream()
			.filter((key) -> !key.startsWith("{live}:") || key.equals("{live}:public"))
			.filter((key) -> !key.startsWith("auth:") && !key.startsWith("sessions:") && !key.startsWith("{t"))
			.collect(Collectors.toMap((key) -> key, (key) -> Base64.getEncoder().encodeToString(site.redis().dump(key)),
					(one, same) -> one, TreeMap::new));
	}

	void fill(int users, int posts) {
		fill(this.retwis, users, posts);
	}

	static void fill(PhpRetwis retwis, int users, int posts) {
		IntStream.rangeClosed(1, users).forEach((number) -> retwis.register("user" + number, "pw", IN_2014));
		IntStream.rangeClosed(1, users)
			.forEach((number) -> retwis.follow(number, number % users + 1, IN_2014 + number));
		IntStream.range(0, posts).forEach((i) -> retwis.post(1 + i % users, "post " + i, IN_2014 + i / 10));
	}

}
