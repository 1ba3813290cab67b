package live.retwis.xray;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import live.retwis.redis.Keys;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class KeyVisibilityRuleTests {

	private static final String ID = "0000000000001";

	private static final String OTHER = "0000000000002";

	private static final String HASH = "0123456789abcdef".repeat(4);

	/** One key of each family: each constant and each method of {@code Keys}. */
	private static List<String> allKeys() throws ReflectiveOperationException {
		List<String> keys = new ArrayList<>();
		for (Field constant : Keys.class.getFields()) {
			String text = String.valueOf(constant.get(null));
			keys.add((text.endsWith(":") || text.endsWith("{")) ? text + ID + ":1" : text);
		}
		for (Method method : Keys.class.getMethods()) {
			if (Modifier.isStatic(method.getModifiers())) {
				keys.add((String) method.invoke(null, Arrays.stream(method.getParameterTypes())
					.map((type) -> (type == String.class) ? ID : (type == long.class) ? (Object) 1L : (Object) 1)
					.toArray()));
			}
		}
		return keys.stream().map((key) -> key.replace("reports:" + ID + ":1", "reports:" + ID)).toList();
	}

	@Test
	void eachKeyOfTheSiteHasOneFamily() throws ReflectiveOperationException {
		assertThat(allKeys()).hasSizeGreaterThan(50)
			.allSatisfy((key) -> assertThat(
					KeyVisibilityRule.ALL.stream().filter((family) -> family.pattern().matcher(key).matches()))
				.as(key)
				.hasSize(1));
		assertThat(KeyVisibilityRule.of("somebody:" + ID)).isEmpty();
	}

	@Test
	void onlyTheirUserLooksIntoPrivateKeysAndNobodyIntoSecretOnes() {
		for (String key : List.of(Keys.homeTimeline(ID), Keys.muted(ID), Keys.blocked(ID), Keys.bookmarks(ID),
				Keys.notifications(ID), Keys.notificationsRead(ID), Keys.liked(ID), Keys.once(ID, "x"))) {
			KeyVisibilityRule family = KeyVisibilityRule.of(key).orElseThrow();
			assertThat(family.isReadable(key, Optional.of(ID))).as(key).isTrue();
			assertThat(family.isReadable(key, Optional.of(OTHER))).as(key).isFalse();
			assertThat(family.isReadable(key, Optional.empty())).as(key).isFalse();
		}
		for (String key : List.of(Keys.session(HASH), Keys.sessionsOf(ID), Keys.devicesOf(ID), Keys.REPORTS,
				Keys.REPORTS_OF + ID, Keys.MODERATION_LOG, Keys.LOCK_SET, Keys.fence(Keys.user(ID)),
				Keys.limit("x", ID), Keys.INTENTS, Keys.SUSPENDED)) {
			assertThat(KeyVisibilityRule.of(key).orElseThrow().isReadable(key, Optional.of(ID))).as(key).isFalse();
		}
	}

	@Test
	void secretsAreBlankedInCommands() {
		Redaction redaction = new Redaction(new KnownScripts(), List.of("planted-secret"));
		assertThat(redaction.of("GET", List.of(Keys.session(HASH))).arguments()).containsExactly("auth:…");
		assertThat(redaction.of("SET", List.of(Keys.session(HASH), ID + " 1")).arguments()).containsExactly("auth:…",
				"…");
		assertThat(redaction.of("HMSET", List.of(Keys.user(ID), "name", "Ann", "password", "short", "auth", "7"))
			.arguments()).containsExactly(Keys.user(ID), "name", "Ann", "password", "…", "auth", "…");
		assertThat(redaction.of("HSET", List.of(Keys.post(ID), "body", "has planted-secret in it")).arguments())
			.containsExactly(Keys.post(ID), "body", "…");
		assertThat(redaction.of("ZREM", List.of(Keys.INTENTS, "session_end " + ID + " " + HASH + " x")).arguments())
			.containsExactly(Keys.INTENTS, "…");
		assertThat(redaction.of("GET", List.of("unknown:key")).arguments()).containsExactly("…");
		assertThat(redaction.of("CONFIG", List.of("SET", "requirepass", "x")).arguments()).containsExactly("…");
		assertThat(redaction.of("EVALSHA", List.of("0".repeat(40), "1", Keys.user(ID), "x")).arguments())
			.containsExactly(Keys.user(ID), "…");
	}

}
