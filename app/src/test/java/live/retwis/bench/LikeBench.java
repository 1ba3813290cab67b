package live.retwis.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import live.retwis.bench.PageLoad.Figures;
import live.retwis.bench.PageLoad.Target;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.testing.TestPorts;
import live.retwis.locks.nodes.testing.bench.Figure;
import live.retwis.redis.Keys;
import live.retwis.testing.ChildProcess;
import live.retwis.testing.LockServers;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Likes per second and their p99, compared with a bare WebFlux handler. A hundred users,
 * each at an address of their own, like a post and take that back in turn, as forms of a
 * browser do. Limits are counted, and are too high to refuse anything. The servers and
 * Redis share one core, and the load runs on another. The site's workers are on that core
 * too, and count the likes meanwhile. {@code -Dbench.rounds} (5) is the number of rounds,
 * and {@code -Dbench.seconds} (5) the length of a round.
 */
class LikeBench {

	@RegisterExtension
	static final BenchReport REPORT = new BenchReport("likes", "Likes", "LikeBench");

	private static final int SERVER_CORE = 0;

	private static final int LOAD_CORE = 1;

	private static final Duration START = Duration.ofSeconds(90);

	private static final int WARM_UPS = 3;

	private static final int USERS = 100;

	private static final int POSTS = 20;

	private static final String BARE = "bare, 10 kB";

	private static final String LIKE = "a like, and taking it back";

	/** Of {@code wrk}. Each user sends the next form when all others have sent theirs. */
	private static final String SCRIPT = """
			local posts = { %s }
			local users = { %s }
			local sent = -1
			request = function()
			  sent = sent + 1
			  local user = users[sent %% #users + 1]
			  local step = math.floor(sent / #users)
			  local post = posts[math.floor(step / 2) %% #posts + 1]
			  local path = '/posts/' .. post .. (step %% 2 == 0 and '/like' or '/unlike')
			  return wrk.format('POST', path, { ['Content-Type'] = 'application/x-www-form-urlencoded',
			    ['Cookie'] = user[1], ['X-Forwarded-For'] = user[3] }, '_csrf=' .. user[2])
			end
			""";

	private final int rounds = Integer.getInteger("bench.rounds", 5);

	private final Duration round = Duration.ofSeconds(Integer.getInteger("bench.seconds", 5));

	private final Path directory = BenchReport.directory();

	private final PageLoad load = new PageLoad(LOAD_CORE, this.directory.resolve("wrk.log"));

	LikeBench() throws IOException {
	}

	@Test
	void likesBesideABareHandler() throws IOException {
		PinnedProcess.move(ProcessHandle.current().pid(), LOAD_CORE, this.directory.resolve("taskset.log"));
		int bare = TestPorts.next();
		int site = TestPorts.next();
		int management = TestPorts.next();
		try (RedisProcess redis = RedisProcess.start(RedisProcessOptions.DEFAULT);
				LockServers locks = new LockServers(3)) {
			PinnedProcess.move(redis.pid(), SERVER_CORE, this.directory.resolve("taskset.log"));
			try (ChildProcess bareServer = java("bare.log", "-cp", System.getProperty("java.class.path"),
					BareServer.class.getName(), Integer.toString(bare));
					ChildProcess siteServer = java("site.log", "-jar", SiteJar.OF_THIS_BUILD.toString(),
							"--server.port=" + site, "--management.server.port=" + management,
							"--retwis.embedded=false", "--spring.data.redis.port=" + redis.port(),
							"--retwis.proxies=127.0.0.1", "--retwis.passwords.cost=4", "--retwis.limits.posts=1000/1m",
							"--retwis.limits.likes=10000000/1m", "--retwis.limits.address-writes=10000000/1m",
							locks.setting())) {
				awaitAnswer(url(bare, "/"));
				awaitAnswer(url(site, "/timeline"));
				Visitor author = registered(url(site, ""), 0);
				List<String> posts = IntStream.range(0, POSTS).mapToObj((i) -> author.post("post " + i)).toList();
				Path script = Files.writeString(this.directory.resolve("likes.lua"), script(posts,
						IntStream.rangeClosed(1, USERS).mapToObj((i) -> registered(url(site, ""), i)).toList()));
				Contestant ceiling = new Contestant(
						() -> this.load.start(new Target(BARE, url(bare, "/"), "", 0), this.round),
						() -> awaitAnswer(url(bare, "/")), List.of(bareServer.pid()), new ArrayList<>());
				Contestant likes = new Contestant(
						() -> this.load.start(new Target(LIKE, url(site, "/"), "", 0), this.round, script),
						() -> check(author, posts.get(0)), List.of(siteServer.pid(), redis.pid()), new ArrayList<>());
				run(ceiling, likes);
				assertThat(logged(redis)).as("entries of the log, with those of likes").isGreaterThan(10 * USERS);
				report(BARE, ceiling.rounds());
				report(LIKE, likes.rounds());
				REPORT.add(Figure.of(LIKE + ": requests of " + BARE, "×",
						IntStream.range(0, this.rounds)
							.mapToObj((i) -> likes.rounds().get(i).rate() / ceiling.rounds().get(i).rate())
							.toList()));
				REPORT.add("log entries that wait for workers after the last round", "",
						Double.parseDouble(Visitor.at(url(management, ""))
							.get("/actuator/prometheus")
							.find("(?m)^retwis_fanout_waiting(?:\\{.*?\\})? (\\S+)")));
			}
		}
	}

	private ChildProcess java(String log, String... arguments) {
		return PinnedProcess.start(SERVER_CORE, this.directory.resolve(log), ChildProcess.java(List.of(arguments)));
	}

	private static String url(int port, String path) {
		return "http://127.0.0.1:" + port + path;
	}

	private static void awaitAnswer(String url) {
		Awaitility.await(url).atMost(START).ignoreExceptions().until(() -> Visitor.at(url).get("").status() == 200);
	}

	/** A user with an address that no other user has. */
	private static Visitor registered(String origin, int number) {
		Visitor visitor = Visitor.at(origin).sending("X-Forwarded-For", "203.0.113." + number);
		visitor.get("/register");
		assertThat(visitor.register("user_" + number, Visitor.PASSWORD).status()).isEqualTo(303);
		return visitor;
	}

	private static String script(List<String> posts, List<Visitor> users) {
		return SCRIPT.formatted(posts.stream().map("'%s'"::formatted).collect(Collectors.joining(", ")),
				IntStream.range(0, users.size())
					.mapToObj((i) -> "{ '%s', '%s', '203.0.113.%d' }".formatted(users.get(i).cookieHeader(),
							users.get(i).token(), i + 1))
					.collect(Collectors.joining(", ")));
	}

	/** Checks that a like under load is seen by its user. */
	private static void check(Visitor user, String post) {
		assertThat(user.submit("/posts/" + post + "/like").status()).isEqualTo(303);
		assertThat(user.get("/posts/" + post).body()).contains("/unlike\">Unlike<");
		assertThat(user.submit("/posts/" + post + "/unlike").status()).isEqualTo(303);
	}

	private static long logged(RedisProcess redis) {
		try (RedisClient client = RedisClient.create(RedisURI.create("127.0.0.1", redis.port()));
				StatefulRedisConnection<String, String> connection = client.connect()) {
			return connection.sync().xlen(Keys.LOG);
		}
	}

	/** The servers take turns, so that other work on the machine affects both. */
	private void run(Contestant... contestants) throws IOException {
		for (int i = 0; i < WARM_UPS + this.rounds; i++) {
			for (Contestant contestant : contestants) {
				Round measured = measure(contestant);
				if (i >= WARM_UPS) {
					contestant.rounds().add(measured);
				}
			}
		}
	}

	private Round measure(Contestant contestant) throws IOException {
		Duration before = contestant.cpu();
		try (PageLoad.Running running = contestant.load().start()) {
			Awaitility.await("the middle of the round")
				.pollDelay(this.round.dividedBy(2))
				.atMost(this.round)
				.until(() -> true);
			contestant.check().run();
			Figures figures = running.figures();
			double micros = contestant.cpu().minus(before).toNanos() / 1000.0;
			return new Round(figures.rate(), figures.p99(), micros / (figures.rate() * this.round.toSeconds()));
		}
	}

	private static void report(String name, List<Round> rounds) {
		REPORT.add(Figure.of(name + ": requests", "/s", all(rounds, Round::rate)));
		REPORT.add(Figure.of(name + ": p99", "ms", all(rounds, Round::p99)));
		REPORT.add(Figure.of(name + ": processor time of a request", "µs", all(rounds, Round::cpuMicros)));
	}

	private static List<Double> all(List<Round> rounds, ToDoubleFunction<Round> figure) {
		return rounds.stream().mapToDouble(figure).boxed().toList();
	}

	/** Starts the load of a round. */
	private interface Load {

		PageLoad.Running start();

	}

	/**
	 * The figures of one round.
	 *
	 * @param rate requests per second
	 * @param p99 milliseconds
	 * @param cpuMicros processor time of server and Redis for one request, in µs, with
	 * that of the workers
	 */
	private record Round(double rate, double p99, double cpuMicros) {
	}

	/**
	 * A server of the comparison.
	 *
	 * @param load its load
	 * @param check is run in the middle of a round
	 * @param processes processes that answer
	 * @param rounds figures so far
	 */
	private record Contestant(Load load, Runnable check, List<Long> processes, List<Round> rounds) {

		Duration cpu() throws IOException {
			Duration sum = Duration.ZERO;
			for (long pid : this.processes) {
				sum = sum.plus(PinnedProcess.cpu(pid));
			}
			return sum;
		}

	}

}
