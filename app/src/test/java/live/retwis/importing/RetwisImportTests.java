package live.retwis.importing;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
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
import io.lettuce.core.codec.StringCodec;
import live.retwis.archive.ArchiveMover;
import live.retwis.doctor.Doctor;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.startup.EmbeddedArchiveUrl;
import live.retwis.testing.AllPages;
import live.retwis.testing.Answer;
import live.retwis.testing.ChildProcess;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.LockServers;
import live.retwis.testing.SharedData;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Imports from stores that the PHP Retwis could have left, into an empty site. */
@Timeout(120)
@ExtendWith(RedisExtension.class)
class RetwisImportTests {

	private static final Duration BOUND = Duration.ofSeconds(60);

	private static final long IN_2014 = Instant.parse("2014-05-01T12:00:00Z").getEpochSecond();

	private static final long IN_2025 = Instant.parse("2025-05-01T12:00:00Z").getEpochSecond();

	private final TestRedis source;

	private final TestRedis target;

	private final RedisClient client;

	private final RedisCommands<String, String> old;

	private final PhpRetwis retwis;

	RetwisImportTests(@OwnRedis TestRedis source, @OwnRedis TestRedis target) {
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

	private Site site(String... settings) {
		return Site.start(this.target,
				Stream.concat(Stream.of("--retwis.locks.lease=1s"), Stream.of(settings)).toArray(String[]::new));
	}

	private List<String> run(Site site) {
		return run(site, this.source.uri());
	}

	private static List<String> run(Site site, String from) {
		return Objects.requireNonNull(site.bean(RetwisImport.class).run(from).collectList().block(BOUND));
	}

	private static void assertEveryRuleHolds(Site site) {
		assertThat(Objects.requireNonNull(site.bean(Doctor.class).examine(false, true, (progress) -> {
		}).map(Doctor.Line::text).collectList().block(BOUND))).singleElement().asString().endsWith("every rule holds.");
	}

	private static Visitor signedIn(Site site, String name, String password) {
		Visitor visitor = Visitor.of(site);
		visitor.get("/login");
		assertThat(visitor.signIn(name, password).status()).isEqualTo(303);
		return visitor;
	}

	/** Everything that an import writes, by key. */
	private static Map<String, String> stored(Site site) {
		return site.keys("*")
			.stream()
			.filter((key) -> !key.startsWith("{live}:") || key.equals("{live}:public"))
			.filter((key) -> !key.startsWith("auth:") && !key.startsWith("sessions:") && !key.startsWith("{t"))
			.collect(Collectors.toMap((key) -> key, (key) -> Base64.getEncoder().encodeToString(site.redis().dump(key)),
					(one, same) -> one, TreeMap::new));
	}

	@Test
	void peopleFindTheirPostsFollowsAndTimesAndLogInWithTheirOldPasswords() {
		long alice = this.retwis.register("alice", "pw", IN_2014);
		long bob = this.retwis.register("Bob", "hunter2 ü", IN_2014 + 1);
		this.retwis.post(alice, "before anybody followed", IN_2014 + 2);
		this.retwis.follow(bob, alice, IN_2014 + 60);
		this.retwis.post(alice, "Hello @bob #retwis <b>", IN_2014 + 120);
		this.retwis.post(bob, "a younger one", IN_2025);
		try (Site site = site()) {
			assertThat(run(site)).containsExactly("Retwis in the layout of 2014", "Users: 2 are here now, 0 skipped",
					"Follows: 1 are here now, 0 skipped", "Posts: 3 are here now, 0 skipped");
			Visitor reader = signedIn(site, "bob", "hunter2 ü");
			assertThat(reader.get("/home").texts()).containsExactly("a younger one", "Hello @bob #retwis <b>",
					"before anybody followed");
			assertThat(reader.get("/timeline").texts()).hasSize(3);
			assertThat(reader.get("/tags/retwis").texts()).containsExactly("Hello @bob #retwis <b>");
			assertThat(reader.get("/mentions").texts()).containsExactly("Hello @bob #retwis <b>");
			Answer profile = reader.get("/@alice");
			assertThat(profile.texts()).containsExactly("Hello @bob #retwis <b>", "before anybody followed");
			assertThat(profile.body()).contains("datetime=\"2014-05-01T12:02:00", "datetime=\"2014-05-01T12:00:00");
			assertThat(profile.body().replaceAll("<[^>]*>", "")).containsPattern("2\\s+posts")
				.containsPattern("1\\s+follower\\b");
			String bobListed = "class=\"author\" href=\"/@Bob\"";
			assertThat(reader.get("/@alice/followers").body()).contains(bobListed, "2014-05-01T12:01:00");
			assertThat(reader.get("/@alice/following").body()).doesNotContain(bobListed);
			signedIn(site, "alice", "pw");
			assertEveryRuleHolds(site);
			assertThat(
					Stream.of("notifications:*", "word*", "{trending}:*").flatMap((news) -> site.keys(news).stream()))
				.as("what is for new posts only")
				.isEmpty();
			String id = reader.post("a new one");
			assertThat(reader.get("/home").postIds()).hasSize(4).first().isEqualTo(id);
		}
	}

	@Test
	@Tag("slow")
	void theOlderLayoutIsImportedToo() {
		PhpRetwis older = PhpRetwis.of(2011, this.old);
		long alice = older.register("alice", "pw", 0);
		long bob = older.register("bob", "pw", 0);
		older.follow(bob, alice, 0);
		older.post(alice, "either | or || both", IN_2014);
		this.old.set("post:2", "1|" + IN_2014);
		this.old.set("post:3", "7|" + IN_2014 + "|who am I?");
		this.old.lpush("post:4", "a list");
		this.old.set("uid:3:password", "pw");
		try (Site site = site()) {
			assertThat(run(site)).contains("Retwis in the layout of 2011", "Skipped: user 3 has no name",
					"Skipped: post 2 is by user '', who is no user here",
					"Skipped: post 3 is by user '7', who is no user here",
					"Skipped: post 4 is by user '', who is no user here", "Users: 2 are here now, 1 skipped",
					"Follows: 1 are here now, 0 skipped", "Posts: 1 are here now, 3 skipped");
			Visitor reader = signedIn(site, "bob", "pw");
			assertThat(reader.get("/home").texts()).containsExactly("either | or || both");
			assertThat(reader.get("/@alice").body()).contains("datetime=\"2014-05-01T12:00:00");
			assertEveryRuleHolds(site);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 2011, 2014 })
	@Tag("slow")
	void whatCannotBeImportedIsNamedWithTheReason(int year) {
		PhpRetwis retwis = PhpRetwis.of(year, this.old);
		long alice = retwis.register("alice", "pw", IN_2014);
		long lengthy = retwis.register("long", "p".repeat(73), IN_2014);
		retwis.storeUser(3, Map.of("password", "pw"));
		retwis.spoilUser(4);
		retwis.storeUser(5, Map.of("username", "mute"));
		retwis.follow(alice, alice, IN_2014);
		retwis.follow(lengthy, alice, -5);
		retwis.storePost(10, "99", Long.toString(IN_2014), "by nobody");
		retwis.storePost(20, "1", Long.toString(IN_2014), " \u200b\r\n ");
		retwis.storePost(30, "1", Long.toString(IN_2014), "x".repeat(20_001));
		retwis.storePost(40, "1", "4000000000", "from the future");
		retwis.storePost(50, "1", "yesterday", "when?");
		retwis.storePost(60, "1", IN_2014 + "000", "in\rms\u0007");
		retwis.storePost(70, "1", Long.toString(IN_2014), "");
		PhpRetwis latin1 = PhpRetwis.of(year, this.client.connect(new StringCodec(StandardCharsets.ISO_8859_1)).sync());
		latin1.storeUser(6, Map.of("username", "J\u00fcrgen", "password", "gr\u00fcn"));
		latin1.storePost(80, "1", Long.toString(IN_2014), "Gr\u00fc\u00dfe");
		retwis.post(alice, "y".repeat(500), IN_2014);
		try (Site site = site()) {
			assertThat(run(site)).containsExactlyInAnyOrder("Retwis in the layout of " + year,
					"Locked: user 5 (mute) cannot log in, because the password is missing or no text",
					"Renamed: user 6 (J\uFFFDrgen) is J_rgen here",
					"Locked: user 6 (J\uFFFDrgen) cannot log in, because the password is missing or no text",
					"Skipped: user 3 has no name", "Skipped: user 4 has no name",
					"Skipped: user 1 follows user 1, the same user",
					"Skipped: post 10 is by user '99', who is no user here", "Skipped: post 20 is blank",
					"Skipped: post 30 has more than 20,000 characters", "Skipped: post 40 has the time '4000000000'",
					"Skipped: post 50 has the time 'yesterday'", "Skipped: post 70 is blank",
					"Users: 4 are here now, 2 skipped", "Follows: 1 are here now, 1 skipped",
					"Posts: 3 are here now, 6 skipped");
			assertThat(Visitor.of(site).get("/@alice").texts()).containsExactlyInAnyOrder("in\nms ", "Gr\uFFFD\uFFFDe",
					"y".repeat(500));
			signedIn(site, "long", "p".repeat(73));
			assertEveryRuleHolds(site);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 2011, 2014 })
	void aFollowOfOrByNobodyIsNamedWithTheReason(int year) {
		PhpRetwis retwis = PhpRetwis.of(year, this.old);
		retwis.register("alice", "pw", IN_2014);
		retwis.register("", "pw", IN_2014);
		retwis.follow(1, 2, IN_2014);
		retwis.follow(2, 1, IN_2014);
		retwis.follow(1, 99, IN_2014);
		retwis.follow(99, 1, IN_2014);
		retwis.follow(2, 99, IN_2014);
		retwis.listFollower(98, "1", IN_2014);
		retwis.listFollower(98, "97", IN_2014);
		retwis.listFollowed(96, "1", IN_2014);
		retwis.listFollower(1, "a fan", IN_2014);
		retwis.listFollowed(1, "01", IN_2014);
		try (Site site = site()) {
			List<String> lines = run(site);
			assertThat(lines).filteredOn((line) -> line.contains("follows"))
				.containsExactlyInAnyOrder("Skipped: user 1 follows user 2, who is no user here",
						"Skipped: user 2 follows user 1, but is no user here",
						"Skipped: user 1 follows user 99, who is no user here",
						"Skipped: user 99 follows user 1, but is no user here",
						"Skipped: user 2 follows user 99, who is no user here",
						"Skipped: user 1 follows user 98, who is no user here",
						"Skipped: user 97 follows user 98, who is no user here",
						"Skipped: user 96 follows user 1, but is no user here",
						"Skipped: user a fan follows user 1, but is no user here",
						"Skipped: user 1 follows user 01, who is no user here");
			assertThat(lines).contains("Follows: 0 are here now, 10 skipped");
			assertThat(run(site)).containsExactlyInAnyOrderElementsOf(lines);
			assertEveryRuleHolds(site);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 2011, 2014 })
	void aFollowThatOnlyOneSideKnowsIsImported(int year) {
		PhpRetwis retwis = PhpRetwis.of(year, this.old);
		long alice = retwis.register("alice", "pw", IN_2014);
		long bob = retwis.register("bob", "pw", IN_2014);
		long carol = retwis.register("carol", "pw", IN_2014);
		retwis.follow(bob, carol, IN_2014);
		retwis.listFollower(alice, Long.toString(bob), IN_2014);
		retwis.listFollowed(carol, Long.toString(alice), IN_2014 + 60);
		try (Site site = site()) {
			List<String> lines = run(site);
			assertThat(lines).contains("Follows: 3 are here now, 0 skipped");
			Visitor stranger = Visitor.of(site);
			String followers = stranger.get("/@alice/followers").body();
			assertThat(followers).contains("href=\"/@bob\"", "href=\"/@carol\"");
			assertThat(followers.contains("2014-05-01T12:01:00")).isEqualTo(year == 2014);
			assertThat(stranger.get("/@carol/following").body()).contains("href=\"/@alice\"");
			Map<String, String> once = stored(site);
			assertThat(run(site)).isEqualTo(lines);
			assertThat(stored(site)).isEqualTo(once);
			assertEveryRuleHolds(site);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 2011, 2014 })
	@Tag("slow")
	void namesThatAreTakenOrHaveOtherCharactersAreChangedAndTheOldestKeepsItsName(int year) {
		PhpRetwis retwis = PhpRetwis.of(year, this.old);
		for (String name : List.of("Anna", "anna", "B\u00e4r bel", "\u6c49\u5b57", "\ud83d\ude00", "n".repeat(40),
				"N".repeat(35), "here\u001b[2J")) {
			retwis.register(name, "pw of " + name, IN_2014);
		}
		try (Site site = site()) {
			Visitor.registered(site, "user_4");
			List<String> lines = run(site);
			assertThat(lines).containsSubsequence("Renamed: user 2 (anna) is anna_2 here",
					"Renamed: user 3 (B\u00e4r bel) is B_r_bel here", "Renamed: user 4 (\u6c49\u5b57) is user_4_4 here",
					"Renamed: user 5 (\ud83d\ude00) is user_5 here",
					"Renamed: user 6 (" + "n".repeat(40) + ") is " + "n".repeat(30) + " here",
					"Renamed: user 7 (" + "N".repeat(35) + ") is " + "N".repeat(28) + "_7 here",
					"Renamed: user 8 (here?[2J) is here__2J here");
			signedIn(site, "anna", "pw of Anna");
			signedIn(site, "anna_2", "pw of anna");
			signedIn(site, "user_4_4", "pw of \u6c49\u5b57");
			signedIn(site, "user_4", Visitor.PASSWORD);
			assertThat(run(site)).isEqualTo(lines);
			assertEveryRuleHolds(site);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 2011, 2014 })
	void nothingThatIsPrintedMovesTheCursorOrFillsTheTerminal(int year) {
		PhpRetwis retwis = PhpRetwis.of(year, this.old);
		String name = "here\u009b2J\u202e";
		retwis.register(name, "pw", IN_2014);
		retwis.register(name + "n".repeat(10_000), "pw", IN_2014);
		retwis.listFollower(1, name.repeat(1000), IN_2014);
		retwis.listFollowed(1, name.repeat(1000), IN_2014);
		retwis.storePost(1, name.repeat(1000), "1", "by nobody");
		retwis.storePost(2, "1", name.repeat(1000), "when?");
		try (Site site = site()) {
			assertThat(run(site)).filteredOn((line) -> line.contains("here?2J?"))
				.hasSize(6)
				.allMatch((line) -> line.length() < 150);
			assertThat(run(site)).noneMatch((line) -> line.matches(".*\\p{C}.*"));
			retwis.storeUser(1, Map.of("username", "other" + name));
			assertThatThrownBy(() -> run(site)).message().contains("user 1 (otherhere").doesNotContainPattern("\\p{C}");
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 2011, 2014 })
	void aSecondRunChangesNothing(int year) {
		fill(PhpRetwis.of(year, this.old), 20, 200);
		try (Site site = site()) {
			List<String> lines = run(site);
			Map<String, String> once = stored(site);
			assertThat(run(site)).isEqualTo(lines);
			assertThat(stored(site)).isEqualTo(once);
			assertThat(once.keySet()).filteredOn((key) -> key.startsWith("post:")).hasSize(200);
		}
	}

	private void fill(int users, int posts) {
		fill(this.retwis, users, posts);
	}

	private static void fill(PhpRetwis retwis, int users, int posts) {
		IntStream.rangeClosed(1, users).forEach((number) -> retwis.register("user" + number, "pw", IN_2014));
		IntStream.rangeClosed(1, users)
			.forEach((number) -> retwis.follow(number, number % users + 1, IN_2014 + number));
		IntStream.range(0, posts).forEach((i) -> retwis.post(1 + i % users, "post " + i, IN_2014 + i / 10));
	}

	@Test
	void whatTheUserHasDeletedOrChangedSinceStaysSo() {
		long alice = this.retwis.register("alice", "pw", IN_2014);
		this.retwis.register("bob", "pw", IN_2014);
		this.retwis.post(alice, "deleted later", IN_2014);
		this.retwis.post(alice, "kept", IN_2014 + 1);
		try (Site site = site()) {
			run(site);
			Visitor visitor = signedIn(site, "alice", "pw");
			String post = visitor.get("/home").postIds().get(1);
			visitor.get("/posts/" + post);
			visitor.submit("/posts/" + post + "/delete");
			visitor.get("/settings");
			assertThat(visitor
				.submit("/settings/password", "old", "pw", "password", "a new password", "password2", "a new password")
				.status()).isEqualTo(303);
			Visitor bob = signedIn(site, "bob", "pw");
			bob.get("/settings");
			assertThat(bob.submit("/settings/delete", "password", "pw").status()).isEqualTo(303);
			assertThat(run(site)).contains("Skipped: user 2 (bob) has deleted the account here",
					"Skipped: post 1 is not here: deleted, or skipped by an earlier run");
			assertThat(Visitor.of(site).get("/@alice").texts()).containsExactly("kept");
			signedIn(site, "alice", "a new password");
			assertEveryRuleHolds(site);
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 2011, 2014 })
	@Tag("slow")
	void whatWasUndoneLongAgoDoesNotComeBack(int year) {
		PhpRetwis retwis = PhpRetwis.of(year, this.old);
		long alice = retwis.register("alice", "pw", IN_2014);
		long bob = retwis.register("bob", "pw", IN_2014);
		long carol = retwis.register("carol", "pw", IN_2014);
		retwis.follow(alice, carol, IN_2014);
		retwis.follow(carol, alice, IN_2014);
		retwis.post(alice, "deleted later", IN_2014);
		retwis.post(alice, "kept", IN_2014 + 60);
		retwis.post(bob, "goes with the account", IN_2014 + 120);
		try (Site site = site()) {
			run(site);
			Visitor visitor = signedIn(site, "alice", "pw");
			String post = visitor.get("/@alice").postIds().get(1);
			assertThat(visitor.submit("/posts/" + post + "/delete").status()).isEqualTo(303);
			visitor.get("/@carol");
			assertThat(visitor.submit("/@carol/unfollow").status()).isEqualTo(303);
			visitor.get("/settings");
			assertThat(visitor
				.submit("/settings/password", "old", "pw", "password", "a new password", "password2", "a new password")
				.status()).isEqualTo(303);
			Visitor leaving = signedIn(site, "bob", "pw");
			leaving.get("/settings");
			assertThat(leaving.submit("/settings/delete", "password", "pw").status()).isEqualTo(303);
			FanOutWait.settle(site);
			String gone = ImportedUserIndex.idOf(bob);
			site.redis().del(Keys.post(post), Keys.user(gone), "{followers:" + gone + "}:shards");
			retwis.register("dora", "pw", IN_2025);
			assertThat(run(site)).contains("Skipped: user 2 (bob) has deleted the account here",
					"Skipped: user 1 follows user 3, but not here: taken back, or skipped by an earlier run",
					"Skipped: post 1 is not here: deleted, or skipped by an earlier run",
					"Skipped: post 3 is by user '2', who is no user here", "Users: 3 are here now, 1 skipped",
					"Follows: 1 are here now, 1 skipped", "Posts: 1 are here now, 2 skipped");
			assertThat(Visitor.of(site).get("/@alice").texts()).containsExactly("kept");
			assertThat(Visitor.of(site).get("/timeline").texts()).containsExactly("kept");
			assertThat(Visitor.of(site).get("/@bob").status()).isEqualTo(404);
			assertThat(site.redis().zscore(Keys.following(visitor.id()), ImportedUserIndex.idOf(carol))).isNull();
			signedIn(site, "alice", "a new password");
			signedIn(site, "dora", "pw");
			assertEveryRuleHolds(site);
		}
	}

	@Test
	void whoeverIsBlockedByNowDoesNotFollowAgain() {
		fill(2, 0);
		try (Site site = site()) {
			run(site);
			Visitor followed = signedIn(site, "user1", "pw");
			followed.get("/@user2");
			assertThat(followed.submit("/@user2/block").status()).isEqualTo(303);
			site.redis().del(Keys.IMPORT_MARKS);
			assertThat(run(site)).as("a run after one that broke off")
				.contains("Skipped: user 2 follows user 1, but one of them has blocked the other here",
						"Follows: 0 are here now, 2 skipped");
			assertEveryRuleHolds(site);
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void anImportThatWasKilledIsFinishedByTheNextOne(@TempDir Path directory) {
		fill(50, 4000);
		Path log = directory.resolve("import.log");
		try (ChildProcess process = ChildProcess.start(log, command());
				RedisClient watcher = RedisClient.create(this.target.uri())) {
			RedisCommands<String, String> redis = watcher.connect().sync();
			Awaitility.await()
				.atMost(BOUND)
				.pollInterval(Duration.ofMillis(5))
				.until(() -> redis.dbsize() > 1000 || !process.isAlive());
			process.kill();
			assertThat(redis.dbsize()).isGreaterThan(1000).isLessThan(4000);
		}
		try (Site site = site()) {
			assertThat(run(site)).contains("Users: 50 are here now, 0 skipped", "Follows: 50 are here now, 0 skipped",
					"Posts: 4,000 are here now, 0 skipped");
			assertThat(site.keys("post:*")).hasSize(4000);
			assertThat(site.keys("posts:*")).hasSize(50).allMatch((key) -> site.redis().zcard(key) == 80);
			assertThat(site.redis().zcard("{live}:public")).isEqualTo(1000);
			assertEveryRuleHolds(site);
		}
	}

	@Test
	void anImportThatFailedOnceAllPostsWereStoredIsFinishedByTheNextOne() {
		fill(1, 3);
		try (Site site = site()) {
			site.redis().set("{live}:public", "not a sorted set");
			assertThatThrownBy(() -> run(site)).isNotNull();
			assertThat(site.keys("post:*")).hasSize(3);
			site.redis().del("{live}:public");
			assertThat(run(site)).contains("Posts: 3 are here now, 0 skipped");
			assertThat(Visitor.of(site).get("/timeline").texts()).hasSize(3);
			assertEveryRuleHolds(site);
		}
	}

	private List<String> command() {
		String classes = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !entry.contains("blockhound"))
			.collect(Collectors.joining(File.pathSeparator));
		List<String> arguments = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", "-cp", classes,
				"live.retwis.RetwisLive", "import-retwis", "--from=" + this.source.uri(), "--retwis.embedded=false",
				LockServers.shared().setting(), "--retwis.locks.lease=1s"));
		arguments.addAll(SharedData.settings(this.target.host(), this.target.port()));
		return ChildProcess.java(arguments);
	}

	@Test
	void aPasswordIsEncodedAgainAtTheFirstLogIn() {
		this.retwis.register("alice", "pw", IN_2014);
		try (Site site = site("--retwis.passwords.cost=5")) {
			run(site);
			String user = site.keys("user:*").get(0);
			assertThat(site.redis().hget(user, "password")).startsWith("{bcrypt-sha}$2a$04$");
			Visitor visitor = Visitor.of(site);
			visitor.get("/login");
			assertThat(visitor.signIn("alice", "another").status()).isEqualTo(401);
			assertThat(site.redis().hget(user, "password")).startsWith("{bcrypt-sha}$2a$04$");
			signedIn(site, "alice", "pw");
			assertThat(site.redis().hget(user, "password")).startsWith("{bcrypt-sha}$2a$05$");
			signedIn(site, "alice", "pw");
		}
	}

	@Test
	void aFollowPastTheLimitIsSkipped() {
		fill(4, 0);
		this.retwis.follow(1, 3, IN_2014);
		try (Site site = site("--retwis.follow.limit=1")) {
			assertThat(run(site)).contains("Follows: 4 are here now, 1 skipped");
			assertThat(run(site)).as("the second run")
				.contains("Skipped: user 1 follows user 3, but not here: taken back, or skipped by an earlier run");
			assertEveryRuleHolds(site);
		}
	}

	@Test
	void followersAreDividedByTime() {
		IntStream.rangeClosed(1, 31).forEach((number) -> this.retwis.register("user" + number, "pw", IN_2014));
		IntStream.rangeClosed(2, 30).forEach((number) -> this.retwis.follow(number, 31, IN_2014 + 100 - number));
		this.retwis.listFollowed(1, "31", IN_2014 + 1000);
		try (Site site = site("--retwis.follow.shard=10")) {
			run(site);
			assertThat(site.keys("{followers:*}:shards")).singleElement()
				.extracting((shards) -> site.redis().hgetall(shards))
				.asInstanceOf(InstanceOfAssertFactories.map(String.class, String.class))
				.containsEntry("last", "2")
				.containsEntry("count", "30");
			assertEveryRuleHolds(site);
		}
	}

	@Test
	void nothingIsWrittenWhenThereIsNothingToImport() {
		try (Site site = site()) {
			assertRefused(site, this.source.uri(), "There is no data of Retwis");
			assertRefused(site, this.target.uri(), "This is the database of the site itself");
			assertRefused(site, "http://example.org", "--from must look like redis://");
			assertRefused(site, "redis://127.0.0.1:1/0", "cannot be reached");
			this.retwis.register("alice", "pw", IN_2014);
			this.old.set("global:nextUserId", "1");
			assertRefused(site, this.source.uri(), "There are two layouts of Retwis");
			assertThat(site.keys("user*")).isEmpty();
		}
	}

	private static void assertRefused(Site site, String from, String reason) {
		assertThatThrownBy(() -> run(site, from)).isInstanceOf(RetwisSource.NotReadableException.class)
			.hasMessageContaining(reason);
	}

	@Test
	void aSecondRetwisIsRefused() {
		this.retwis.register("alice", "pw", IN_2014);
		try (Site site = site()) {
			run(site);
			Awaitility.await("what a first start writes")
				.atMost(BOUND)
				.until(() -> site.redis().exists(Keys.REGISTRATION) == 1);
			Map<String, String> before = stored(site);
			this.old.flushall();
			this.retwis.register("mallory", "pw", IN_2014);
			assertThatThrownBy(() -> run(site)).hasMessageContaining("user 1 (mallory)");
			assertThat(stored(site)).isEqualTo(before);
		}
	}

	@Test
	void aSecondRetwisIsRefusedAlthoughAllUsersOfTheFirstHaveLeft() {
		long alice = this.retwis.register("alice", "pw", IN_2014);
		try (Site site = site()) {
			run(site);
			Visitor leaving = signedIn(site, "alice", "pw");
			leaving.get("/settings");
			assertThat(leaving.submit("/settings/delete", "password", "pw").status()).isEqualTo(303);
			FanOutWait.settle(site);
			String gone = ImportedUserIndex.idOf(alice);
			site.redis().del(Keys.user(gone), "{followers:" + gone + "}:shards");
			this.old.flushall();
			this.retwis.register("mallory", "pw", IN_2014);
			assertThatThrownBy(() -> run(site)).hasMessageContaining("user 1 (mallory)");
			assertEveryRuleHolds(site);
		}
	}

	@Test
	void anotherDatabaseOfTheSameServerIsRead() {
		try (Site site = site()) {
			try (RedisClient other = RedisClient.create(this.target.uri())) {
				RedisCommands<String, String> commands = other.connect().sync();
				commands.select(1);
				PhpRetwis.of(2014, commands).register("alice", "pw", IN_2014);
			}
			assertThat(run(site, this.target.uri() + "/1")).contains("Users: 1 are here now, 0 skipped");
		}
	}

	@Test
	@Tag("slow")
	void aSecondRunLeavesArchivedPostsInTheArchive(@TempDir Path directory) {
		long alice = this.retwis.register("alice", "pw", IN_2014);
		for (int i = 0; i < 25; i++) {
			this.retwis.post(alice, "post " + i + " #retwis", IN_2014 + i);
		}
		String[] archive = { "--retwis.archive.url=" + EmbeddedArchiveUrl.in(directory), "--retwis.archive.every=1h" };
		try (Site site = site(archive)) {
			run(site);
			Visitor stranger = Visitor.of(site);
			List<String> all = AllPages.idsOf(stranger, "/@alice");
			assertThat(all).hasSize(25);
			site.bean(ArchiveMover.class).moveAll().block(BOUND);
			assertThat(site.keys("post:*")).isEmpty();
			Visitor author = signedIn(site, "alice", "pw");
			assertThat(author.submit("/posts/" + all.get(3) + "/delete").status()).isEqualTo(303);
			FanOutWait.settle(site);
			List<String> left = AllPages.idsOf(stranger, "/@alice");
			assertThat(left).hasSize(24).doesNotContain(all.get(3));
			assertThat(run(site)).contains("Posts: 24 are here now, 1 skipped")
				.filteredOn((line) -> line.startsWith("Skipped"))
				.singleElement()
				.asString()
				.contains("is not here: deleted, or skipped by an earlier run");
			assertThat(site.keys("post:*")).containsExactly("post:" + all.get(3));
			assertThat(AllPages.idsOf(stranger, "/@alice")).isEqualTo(left);
			// The archive deletes the post two minutes later.
			assertThat(stranger.get("/@alice").body()).contains("<b>25</b> posts<");
			assertThat(stranger.get("/tags/retwis").postIds()).isEqualTo(left.subList(0, 20));
		}
		try (Site site = site()) {
			assertThatThrownBy(() -> run(site)).hasMessageContaining("retwis.archive.url is not set");
			assertThat(site.keys("post:*")).hasSize(1);
		}
	}

}
