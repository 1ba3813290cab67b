package live.retwis.lab;

import java.util.Map;
import java.util.Optional;

import live.retwis.locks.lab.design.RedlockDesign;
import live.retwis.testing.HostileText;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import static org.assertj.core.api.Assertions.assertThat;

/** Whatever comes as the design of a lock. */
class LabFormFuzzTests {

	private static final Map<String, String> GOOD = Map.of("nodes", "5", "quorum", "3", "order", "one-by-one", "vote",
			"second-look", "validity", "yes", "drift", "yes", "clock", "steady", "release", "own-key", "fence",
			"owner");

	@Provide
	Arbitrary<String> texts() {
		return HostileText.upTo(2_000);
	}

	@Provide
	Arbitrary<String> fields() {
		return Arbitraries.of(GOOD.keySet());
	}

	@Property
	void aDesignIsOneThatCanBeBuiltOrAbsent(@ForAll("texts") String text, @ForAll("fields") String field) {
		assertThat(LockDesignForm.find((name) -> GOOD.getOrDefault(name, ""))).isPresent();
		Optional<RedlockDesign> design = HostileText
			.inTime(() -> LockDesignForm.find((name) -> name.equals(field) ? text : GOOD.getOrDefault(name, "")));
		design.ifPresent((built) -> {
			assertThat(built.quorum()).isBetween(1, built.nodes());
			assertThat(LockDesignForm.query(built)).matches("[a-z0-9=&-]+");
		});
	}

}
