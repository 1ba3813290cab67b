package live.retwis.logging;

import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.LockServers;
import live.retwis.testing.RawHttp;
import live.retwis.testing.SharedData;
import live.retwis.testing.SiteProcess;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The log lines of an instance. A line about a request can be found by the number of the
 * request.
 */
@ExtendWith(RedisExtension.class)
class StructuredLogTests {

	private static final Pattern CSRF = Pattern.compile("name=\"_csrf\" value=\"([^\"]+)\"");

	private static final Duration LIMIT = Duration.ofSeconds(10);

	/** Stands in forms, cookies, headers and addresses. */
	private static final String SECRET = "dragon-fruit-";

	private static final String BROKEN = "0AAAAAAAAAAAA";

	private static SiteProcess launch(TestRedis redis, Map<String, String> environment) {
		return SiteProcess
			.launchWithItsOwnLog(environment, SharedData.settings(redis.host(), redis.port()),
					LockServers.shared().setting(), "--retwis.locks.node-timeout=1s")
			.ready();
	}

	/** Stores a post whose page fails. */
	private static void store(TestRedis redis) {
		with(redis, (data) -> {
			data.hset("post:" + BROKEN, Map.of("author", "a", "username", "a", "body", "b", "created", "1"));
			data.set("replies:" + BROKEN, "no list");
		});
	}

	private static void with(TestRedis redis, Consumer<RedisCommands<String, String>> task) {
		RedisClient client = RedisClient.create(redis.uri());
		try (StatefulRedisConnection<String, String> connection = client.connect()) {
			task.accept(connection.sync());
		}
		finally {
			client.shutdown();
		}
	}

	private static Stream<JsonNode> lines(SiteProcess site) {
		return site.logged().stream().map(JsonMapper.shared()::readTree);
	}

	private static JsonNode await(SiteProcess site, String message) {
		return Awaitility.await(message)
			.atMost(LIMIT)
			.until(() -> lines(site).filter((line) -> line.get("message").asString().contains(message)).findFirst(),
					(found) -> found.isPresent())
			.orElseThrow();
	}

	@ParameterizedTest
	@Tag("slow")
	@Tag("long")
	@CsvSource({ "ecs,", "logstash,blue" })
	void everyLineNamesTheInstanceAndALineAboutARequestItsNumber(String format, String name,
			@OwnRedis TestRedis redis) {
		Map<String, String> environment = (name != null)
				? Map.of("LOGGING_STRUCTURED_FORMAT_CONSOLE", format, "RETWIS_INSTANCE", name)
				: Map.of("LOGGING_STRUCTURED_FORMAT_CONSOLE", format);
		store(redis);
		try (SiteProcess site = launch(redis, environment)) {
			Visitor visitor = Visitor.at(site.origin());
			Answer failed = visitor.get("/posts/" + BROKEN);
			assertThat(failed.status()).isEqualTo(500);
			JsonNode line = await(site, "GET /posts/" + BROKEN + " failed");
			assertThat(line.get("request_id").asString()).isEqualTo(failed.header("X-Request-Id"));
			assertThat(line.toString()).contains("WRONGTYPE");
			if (format.equals("ecs")) {
				assertThat(line.at("/service/node/name").asString()).isEqualTo(failed.header("X-Instance"));
			}
			assertThat(failed.header("X-Instance")).isEqualTo((name != null) ? name : line.get("instance").asString())
				.matches((name != null) ? name : "[0-9a-z]{6}");
			assertThat(await(site, "Instance ").get("message").asString())
				.contains("Instance " + failed.header("X-Instance") + " is ", ":" + site.port());
			assertThat(lines(site)).hasSizeGreaterThan(5)
				.allSatisfy(
						(each) -> assertThat(each.get("instance").asString()).isEqualTo(failed.header("X-Instance")));
			assertThat(lines(site).filter((each) -> each.has("request_id"))).hasSize(1);
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aLineAboutWorkAfterTheCommitHasTheRequestNumberToo(@OwnRedis TestRedis redis) {
		with(redis, (data) -> data.set("users:recent", "no list"));
		try (SiteProcess site = launch(redis, Map.of("LOGGING_STRUCTURED_FORMAT_CONSOLE", "ecs"))) {
			Visitor visitor = Visitor.at(site.origin());
			visitor.get("/register");
			Answer registered = visitor.register(Visitor.freshName(), Visitor.PASSWORD);
			assertThat(registered.status()).isEqualTo(303);
			assertThat(await(site, "is registered, but").get("request_id").asString())
				.isEqualTo(registered.header("X-Request-Id"));

			with(redis, (data) -> data.set("posts:" + visitor.id(), "no list"));
			visitor.get("/home");
			Answer posted = visitor.postJson("body", "hello", "once", UUID.randomUUID().toString());
			assertThat(posted.status()).isEqualTo(201);
			assertThat(await(site, "is committed, and the workers will add it").get("request_id").asString())
				.isEqualTo(posted.header("X-Request-Id"));
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aPlainTextLineBeginsWithTheRequestNumberOfItsRequest(@OwnRedis TestRedis redis) {
		store(redis);
		try (SiteProcess site = launch(redis, Map.of())) {
			Answer failed = Visitor.at(site.origin()).get("/posts/" + BROKEN);
			List<String> lines = Awaitility.await()
				.atMost(LIMIT)
				.until(() -> about(site, BROKEN), (found) -> !found.isEmpty());
			assertThat(lines.get(0)).contains("] request_id=" + failed.header("X-Request-Id") + " live.retwis.");
			assertThat(about(site, "Netty started").get(0)).containsPattern("\\] o\\.s\\.");
		}
	}

	/** Also when Redis is away, and when the request or the form is malformed. */
	@Test
	@Tag("slow")
	@Tag("long")
	void noLineHasAnythingSecretThatAVisitorSent(@OwnRedis TestRedis redis) {
		store(redis);
		try (SiteProcess site = launch(redis, Map.of())) {
			Visitor visitor = Visitor.at(site.origin());
			visitor.get("/register");
			String token = visitor.cookie("XSRF-TOKEN");
			assertThat(visitor.register(Visitor.freshName(), Visitor.PASSWORD).status()).isEqualTo(303);
			Matcher csrf = CSRF.matcher(visitor.get("/settings").body());
			assertThat(csrf.find()).isTrue();
			with(redis, (data) -> data.set(Keys.liked(visitor.id()), "no list"));
			sendSecrets(site, visitor);
			redis.kill();
			sendSecrets(site, visitor);
			for (String failed : List.of("GET /posts/" + BROKEN + " failed", "GET /settings/export failed")) {
				Awaitility.await(failed).atMost(LIMIT).until(() -> !about(site, failed).isEmpty());
			}
			List<String> secrets = List.of(SECRET, Visitor.PASSWORD, visitor.cookie("auth").substring(14), token,
					visitor.cookie("device"), csrf.group(1));
			assertThat(secrets).doesNotContain("");
			assertThat(site.logged()).noneMatch((line) -> secrets.stream().anyMatch(line::contains));
		}
	}

	private static void sendSecrets(SiteProcess site, Visitor visitor) {
		String form = "application/x-www-form-urlencoded";
		List<String> fields = Stream
			.of("username", "password", "password2", "old", "body", "once", "next", "name", "bio", "reason")
			.flatMap((name) -> Stream.of(name, SECRET))
			.toList();
		for (String path : List.of("/login", "/register", "/posts", "/settings/password", "/settings/profile",
				"/settings/delete", "/posts/" + BROKEN + "/report")) {
			visitor.submit(path + "?token=" + SECRET, fields.toArray(String[]::new));
			visitor.submit(path, "_csrf", SECRET);
			visitor.send("POST", path, BodyPublishers.ofString("password=%zz" + SECRET), "Content-Type", form);
			visitor.send("POST", path, BodyPublishers.ofString("--x\r\nContent-Disposition: " + SECRET), "Content-Type",
					"multipart/form-data; boundary=x");
		}
		String cookie = "Cookie: " + visitor.cookieHeader() + "; other=" + SECRET;
		for (String address : List.of("/posts/" + BROKEN + "?token=", "/settings/export?token=", "/timeline?before=%",
				"/search?q=", "/home?password=one more", "/%zz?password=")) {
			for (String header : List.of("Authorization: Bearer ", "Content-Length: ", "No-Colon ", "Cookie: auth=",
					"Referer: /?", "Last-Event-ID: ", "Accept: ", "X-Forwarded-For: ", "Bad\u0001: ", "Host: %",
					"Expect: ")) {
				sendRaw(site, address + SECRET, cookie, header + SECRET);
			}
		}
		sendRaw(site, "/?password=" + SECRET.repeat(1000));
		sendRaw(site, "/", "Cookie: auth=" + SECRET.repeat(1000));
	}

	private static void sendRaw(SiteProcess site, String address, String... headers) {
		try {
			RawHttp.get(site.port(), address, headers);
		}
		catch (UncheckedIOException ex) {
			// The site may close the connection before it has read everything.
		}
	}

	private static List<String> about(SiteProcess site, String text) {
		return site.logged().stream().filter((line) -> line.contains(text)).toList();
	}

}
