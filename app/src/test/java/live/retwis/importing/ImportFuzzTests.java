package live.retwis.importing;

import java.time.Instant;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import live.retwis.account.UsernameRules;
import live.retwis.testing.HostileText;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whatever a Redis of the PHP Retwis has, it becomes a name, a number, a time, or
 * nothing.
 */
class ImportFuzzTests {

	private static final long NOW = Instant.parse("2030-01-01T00:00:00Z").toEpochMilli();

	@Provide
	Arbitrary<String> values() {
		return HostileText.upTo(20_000);
	}

	@Provide
	Arbitrary<String> posts() {
		return HostileText.upTo(2_000).list().ofMaxSize(5).map((parts) -> String.join("|", parts));
	}

	@Property
	void aPostOf2011IsThreePartsOrHasNothing(@ForAll("posts") String stored) {
		RetwisPost post = HostileText.inTime(() -> Layout2011.post(7, stored));
		if (stored.chars().filter((character) -> character == '|').count() < 2) {
			assertThat(post).isEqualTo(new RetwisPost(7, "", "", ""));
		}
		else {
			assertThat(post.number()).isEqualTo(7);
			assertThat(String.join("|", post.author(), post.time(), post.body())).isEqualTo(stored);
			assertThat(post.author() + post.time()).doesNotContain("|");
		}
	}

	@Property
	void everyNameBecomesOneThatMayBeRegistered(@ForAll("values") String name,
			@ForAll @LongRange(min = 1, max = 999_999_999_999L) long number) {
		ImportedName imported = HostileText.inTime(() -> ImportedName.of(new RetwisUser(number, name, "", "")));
		// Each of the first two may be equal to a later one.
		assertThat(IntStream.range(1, 100).mapToObj(imported::attempt).collect(Collectors.toSet()))
			.hasSizeBetween(97, 99)
			.allMatch(UsernameRules::isValid)
			.allMatch(imported::isOneOf);
	}

	@Property
	void everyNumberAndTimeIsInItsRangeOrNone(@ForAll("values") String text) {
		HostileText.inTime(() -> RetwisNumber.parse(text))
			.ifPresent((number) -> assertThat(number).isBetween(1L, 999_999_999_999L));
		HostileText.inTime(() -> RetwisTime.millis(text, NOW))
			.ifPresent((millis) -> assertThat(millis).isBetween(1L, NOW + 86_400_000));
	}

}
