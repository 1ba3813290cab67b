package live.retwis.account;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import live.retwis.redis.DataNodeCommands;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.testing.Site;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The scripts that write under a lease, on a real Redis, each test with its own keys.
 */
class AccountScriptTests {

	private final Site site = Site.shared();

	private final RedisClusterCommands<String, String> redis = this.site.redis();

	/** A guarded name has no braces, because its fence key adds them. */
	private final String name = "test:" + UUID.randomUUID();

	private List<String> run(String script, List<String> keys, String... args) {
		return Objects
			.requireNonNull(this.site.bean(DataNodeCommands.class).run(LuaScript.named(script), keys, args).block());
	}

	private static List<String> guarded(String key) {
		return List.of(key, Keys.fence(key));
	}

	@Test
	void aNameIsGivenOnceAndRepeatingItAfterTheLeaseAnswersTheSame() {
		this.redis.set(Keys.fence(this.name), "lease");
		assertThat(run("commit-username", guarded(this.name), "U1", "lease")).containsExactly("U1");
		assertThat(run("commit-username", guarded(this.name), "U2", "lease")).containsExactly("U1");
		this.redis.del(Keys.fence(this.name));
		assertThat(run("commit-username", guarded(this.name), "U1", "lease")).containsExactly("U1");
	}

	@Test
	void aNameIsNotGivenWithoutAValidLease() {
		assertThat(run("commit-username", guarded(this.name), "U1", "lapsed")).isEmpty();
		this.redis.set(Keys.fence(this.name), "successor");
		assertThat(run("commit-username", guarded(this.name), "U1", "lapsed")).isEmpty();
		assertThat(this.redis.exists(this.name)).isZero();
		assertThat(run("commit-username", guarded(this.name), "U2", "successor")).containsExactly("U2");
	}

	@Test
	void aPictureAndItsHashChangeTogetherAndRepeatingItChangesNothing() {
		List<String> keys = List.of(this.name, "{" + this.name + "}:picture");
		this.redis.hset(this.name, "password", "secret");
		for (int i = 0; i < 2; i++) {
			assertThat(run("set-profile", keys, "Ada", "bio", "hash", "bytes")).containsExactly("1");
			assertThat(this.redis.get(keys.get(1))).isEqualTo("bytes");
		}
		assertThat(run("set-profile", keys, "Bea", "")).containsExactly("1");
		assertThat(this.redis.hgetall(this.name))
			.isEqualTo(Map.of("password", "secret", "name", "Bea", "bio", "", "picture", "hash"));
		for (String changed : List.of("1", "0")) {
			assertThat(run("set-profile", keys, "Bea", "", "")).containsExactly(changed);
			assertThat(this.redis.exists(keys.get(1)) + this.redis.hlen(this.name)).isEqualTo(3);
		}
		this.redis.hdel(this.name, "password");
		assertThat(run("set-profile", keys, "Late", "", "hash", "bytes")).containsExactly("0");
		assertThat(this.redis.exists(keys.get(1))).isZero();
	}

	@Test
	void aPictureIsDiscardedOnlyWhileItIsTheSame() {
		List<String> keys = List.of(this.name, "{" + this.name + "}:picture");
		this.redis.hset(this.name, "picture", "hash");
		this.redis.set(keys.get(1), "bytes");
		assertThat(run("discard-picture", keys, "other", "bytes")).containsExactly("0");
		assertThat(run("discard-picture", keys, "hash", "")).containsExactly("0");
		for (int i = 0; i < 2; i++) {
			assertThat(run("discard-picture", keys, "hash", "bytes")).containsExactly("1");
			assertThat(this.redis.exists(this.name, keys.get(1))).isZero();
		}
	}

	@Test
	void aPasswordIsEncodedAgainOnlyWhileItIsTheSame() {
		this.redis.hset(this.name, "password", "weak");
		assertThat(run("replace-password", List.of(this.name), "weak", "strong")).containsExactly("1");
		assertThat(run("replace-password", List.of(this.name), "weak", "late")).containsExactly("0");
		assertThat(this.redis.hget(this.name, "password")).isEqualTo("strong");
		assertThat(run("replace-password", List.of(this.name + ":gone"), "weak", "late")).containsExactly("0");
		assertThat(this.redis.exists(this.name + ":gone")).isZero();
	}

	@Test
	void aSessionMovesTheGenerationOnOnlyOnce() {
		this.redis.hset(this.name, "auth", "4");
		this.redis.set(Keys.fence(this.name), "lease");
		assertThat(run("rotate-auth", guarded(this.name), "4", "lease", "first", "")).containsExactly("1");
		assertThat(run("rotate-auth", guarded(this.name), "4", "lease", "second", "")).containsExactly("0");
		assertThat(this.redis.hget(this.name, "auth")).isEqualTo("5");
	}

	@Test
	void aRotationThatIsSentAgainAfterTheLeaseAnswersTheSame() {
		this.redis.hset(this.name, Map.of("auth", "4", "password", "old"));
		this.redis.set(Keys.fence(this.name), "lease");
		assertThat(run("rotate-auth", guarded(this.name), "4", "lease", "mark", "new")).containsExactly("1");
		this.redis.del(Keys.fence(this.name));
		assertThat(run("rotate-auth", guarded(this.name), "4", "lease", "mark", "new")).containsExactly("1");
		assertThat(this.redis.hgetall(this.name))
			.isEqualTo(Map.of("auth", "5", "password", "new", "password_change", "mark", "rotation", "mark"));
	}

	@Test
	void aGenerationDoesNotMoveOnWithoutAValidLease() {
		this.redis.hset(this.name, "auth", "4");
		assertThat(run("rotate-auth", guarded(this.name), "4", "lapsed", "mark", "new")).isEmpty();
		this.redis.set(Keys.fence(this.name), "successor");
		assertThat(run("rotate-auth", guarded(this.name), "4", "lapsed", "mark", "new")).isEmpty();
		assertThat(this.redis.hgetall(this.name)).isEqualTo(Map.of("auth", "4"));
	}

	@Test
	void aKeyAndItsFenceAreInOneSlot() {
		for (String key : List.of(Keys.username("alice"), Keys.user("0AAAAAAAAAAAA"))) {
			assertThat(SlotHash.getSlot(Keys.fence(key))).isEqualTo(SlotHash.getSlot(key));
		}
		assertThat(SlotHash.getSlot(Keys.picture("0AAAAAAAAAAAA")))
			.isEqualTo(SlotHash.getSlot(Keys.user("0AAAAAAAAAAAA")));
	}

	@Test
	void anAccountIsDeletedOnceAndRepeatingItAfterTheLeaseAnswersTheSame() {
		this.redis.hset(this.name, Map.of("username", "alice", "name", "Alice", "picture", "hash", "password", "secret",
				"auth", "4", "state", "active", "active", "1", "created", "1"));
		this.redis.set(Keys.fence(this.name), "lease");
		assertThat(run("close-account", guarded(this.name), "4", "lease", "99")).containsExactly("1");
		this.redis.del(Keys.fence(this.name));
		assertThat(run("close-account", guarded(this.name), "4", "lease", "100")).containsExactly("1");
		assertThat(this.redis.hgetall(this.name))
			.isEqualTo(Map.of("username", "alice", "auth", "5", "state", "deleted", "deleted", "99", "created", "1"));
	}

	@Test
	void anAccountIsNotDeletedWithoutAValidLeaseAndSession() {
		Map<String, String> user = Map.of("auth", "4", "state", "active", "password", "secret");
		this.redis.hset(this.name, user);
		this.redis.set(Keys.fence(this.name), "successor");
		assertThat(run("close-account", guarded(this.name), "4", "lapsed", "99")).isEmpty();
		assertThat(run("close-account", guarded(this.name), "3", "successor", "99")).containsExactly("0");
		assertThat(this.redis.hgetall(this.name)).isEqualTo(user);
	}

	@Test
	void onlyADeletedUserExpiresAndLosesThePicture() {
		List<String> keys = List.of(this.name, "{" + this.name + "}:picture");
		this.redis.hset(this.name, Map.of("username", "alice", "auth", "4", "state", "active"));
		this.redis.set(keys.get(1), "bytes");
		assertThat(run("retire-user", keys, "60")).containsExactly("0");
		assertThat(this.redis.ttl(this.name)).isEqualTo(-1);
		assertThat(this.redis.get(keys.get(1))).isEqualTo("bytes");
		this.redis.hset(this.name, "state", "deleted");
		assertThat(run("retire-user", keys, "60")).containsExactly("1");
		assertThat(run("retire-user", keys, "3600")).containsExactly("1");
		assertThat(this.redis.ttl(this.name)).isBetween(1L, 60L);
		assertThat(this.redis.hexists(this.name, "username")).isFalse();
		assertThat(this.redis.exists(keys.get(1))).isZero();
		assertThat(run("note-visit", List.of(this.name), "5")).containsExactly("0");
	}

	@Test
	void aSessionOfAnOlderGenerationTakesNoOtherOutOfTheList() {
		Map<String, String> sessions = Map.of("oldest", "hash1 1 5 5 x", "newest", "hash3 3 7 7 x");
		this.redis.hset(this.name, sessions);
		assertThat(run("keep-session", List.of(this.name), "late", "hash2", "2", "9", "x", "20", "60"))
			.containsExactly("0");
		assertThat(this.redis.hgetall(this.name)).isEqualTo(sessions);
	}

}
