package live.retwis.importing;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Imports from stores that the PHP Retwis could have left, into an empty site. */
@Timeout(120)
class RetwisImportTests extends RetwisImportFixture {

	RetwisImportTests(@OwnRedis TestRedis source, @OwnRedis TestRedis target) {
		super(source, target);
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
	void theImportTellsHowFarItIsBeforeItsLastLines() {
		fill(5, 7);
		try (Site site = site()) {
			List<String> told = site.bean(RetwisImport.class)
				.run(this.source.uri(), 2)
				.collectList()
				.blockOptional(BOUND)
				.orElseThrow();
			assertThat(told).containsExactly("Retwis in the layout of 2014", "Users: 2 so far", "Users: 4 so far",
					"Follows: 2 so far", "Follows: 4 so far", "Posts: 2 so far", "Posts: 4 so far", "Posts: 6 so far",
					"Users: 5 are here now, 0 skipped", "Follows: 5 are here now, 0 skipped",
					"Posts: 7 are here now, 0 skipped");
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
	void aListThatAnotherProgramHasDamagedKeepsNoPostBack() {
		long alice = this.retwis.register("alice", "pw", IN_2014);
		this.retwis.post(alice, "with a #damaged tag", IN_2014);
		this.retwis.post(alice, "and a #whole one", IN_2014 + 1);
		try (Site site = site()) {
			site.redis().set(Keys.tag("damaged"), "what?");
			assertThat(run(site)).contains("Posts: 2 are here now, 0 skipped");
			assertThat(Visitor.of(site).get("/tags/whole").texts()).containsExactly("and a #whole one");
		}
	}

}
