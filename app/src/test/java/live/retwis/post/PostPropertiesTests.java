package live.retwis.post;

import java.util.UUID;

import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class PostPropertiesTests {

	@ParameterizedTest
	@ValueSource(ints = { -1, 0, 5_001 })
	void aLengthThatNoFormCanHaveStopsTheStartWithAnExplanation(int length) {
		assertThatIllegalArgumentException().isThrownBy(() -> new PostProperties(length))
			.withMessageContaining("retwis.post.length is " + length);
	}

	@Test
	void theLongestTextThatCanBeSetIsPostedInAnyAlphabet() {
		try (Site site = Site.another("--retwis.post.length=5000")) {
			Visitor visitor = Visitor.registered(site);
			visitor.get("/home");
			String text = "\ud83d\ude00".repeat(5_000);
			assertThat(visitor.submit("/posts", "body", text, "once", UUID.randomUUID().toString()).status())
				.isEqualTo(303);
			assertThat(visitor.get("/home").texts()).containsExactly(text);
		}
	}

}
