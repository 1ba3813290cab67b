package live.retwis.xray;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;

import live.retwis.redis.Keys;
import live.retwis.testing.HostileText;
import live.retwis.xray.KeyVisibilityRule.Readers;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import static org.assertj.core.api.Assertions.assertThat;

/** Whatever somebody asks X-ray to look into. */
class KeyVisibilityFuzzTests {

	private static final String ID = "0123456789ABC";

	@Provide
	Arbitrary<String> texts() {
		return HostileText.upTo(2_000);
	}

	/** Keys of all families, whole and spoilt, and any text. */
	@Provide
	Arbitrary<String> keys() {
		Arbitrary<String> names = Arbitraries.of(KeyVisibilityRule.ALL).map(KeyVisibilityRule::name);
		Arbitrary<String> filled = Combinators.combine(names, Arbitraries.of(ID, "0BBBBBBBBBBBB", "0"), texts())
			.as((name, id, text) -> name.replaceAll("<id>|<post>", id)
				.replace("…", "0001")
				.replaceAll("<\\w+>", Matcher.quoteReplacement(text)));
		Arbitrary<String> begun = Combinators.combine(names, texts())
			.as((name, text) -> name.replaceFirst("<.*", "") + text);
		return Arbitraries.oneOf(filled, begun, texts());
	}

	@Property
	void aKeyBelongsToOneFamilyOrToNone(@ForAll("keys") String key) {
		Optional<KeyVisibilityRule> family = HostileText.inTime(() -> KeyVisibilityRule.of(key));
		List<KeyVisibilityRule> all = KeyVisibilityRule.ALL.stream()
			.filter((one) -> one.pattern().matcher(key).matches())
			.toList();
		assertThat(all).isEqualTo(family.stream().toList());
	}

	@Property
	void nobodyLooksIntoWhatIsSecretAndOnlyTheUserIntoWhatIsPrivate(@ForAll("keys") String key,
			@ForAll("texts") String viewer) {
		KeyVisibilityRule.of(key).ifPresent((family) -> {
			Optional<String> user = family.userOf(key);
			boolean everybody = family.readers() == Readers.EVERYBODY;
			assertThat(family.isReadable(key, Optional.empty())).isEqualTo(everybody);
			boolean own = family.readers() == Readers.OWNER && user.equals(Optional.of(viewer));
			assertThat(family.isReadable(key, Optional.of(viewer))).isEqualTo(everybody || own);
			assertThat(family.isReadable(key, user)).isEqualTo(everybody || family.readers() == Readers.OWNER);
			assertThat(family.secret() && family.readers() != Readers.NOBODY).isFalse();
			assertThat(user.isPresent()).isEqualTo(family.name().contains("<id>"));
		});
	}

	@Property
	void theHashOfASessionAndWhoIsLimitedAreNotShown(@ForAll("texts") String text) {
		for (String key : List.of(Keys.session(text), Keys.limit("posts", text))) {
			KeyVisibilityRule.of(key)
				.ifPresent((family) -> assertThat(family.shown(key)).isIn("auth:…", "limit:…").isNotEqualTo(key));
		}
		assertThat(KeyVisibilityRule.of(Keys.limit("posts", text))).isPresent();
	}

}
