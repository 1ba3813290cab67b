package live.retwis.importing;

import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import live.retwis.archive.ArchiveMover;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.startup.EmbeddedArchiveUrl;
import live.retwis.testing.AllPages;
import live.retwis.testing.ChildProcess;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.LockServers;
import live.retwis.testing.SharedData;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * An import runs again: after one that broke off, and after a complete one.
 */
@Timeout(120)
class RepeatedRetwisImportTests extends RetwisImportFixture {

	RepeatedRetwisImportTests(@OwnRedis TestRedis source, @OwnRedis TestRedis target) {
		super(source, target);
	}

	/** SCAN need not return what is added while it runs, so a run may miss some of it. */
	@ParameterizedTest
	@ValueSource(ints = { 2011, 2014 })
	void whatARunMissesBecauseItIsAddedMeanwhileIsImportedByTheNextOne(int year) {
		PhpRetwis retwis = PhpRetwis.of(year, this.old);
		fill(retwis, 2, 2);
		retwis.storePost(4, "1", Long.toString(IN_2014 + 1), "seen, but numbered after the run had begun");
		try (Site site = site()) {
			assertThat(run(site)).contains("Posts: 3 are here now, 0 skipped");
			retwis.post(1, "missed", IN_2014 + 2);
			this.old.incr((year == 2011) ? "global:nextPostId" : "next_post_id");
			assertThat(run(site)).contains("Posts: 4 are here now, 0 skipped");
			assertThat(Visitor.of(site).get("/timeline").texts()).contains("missed");
			assertEveryRuleHolds(site);
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
