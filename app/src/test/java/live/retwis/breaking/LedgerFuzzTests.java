package live.retwis.breaking;

import live.retwis.testing.HostileText;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** Whatever a page sends as its ledger. */
class LedgerFuzzTests {

	private static final String LEDGER = """
			{"stream":"/live/public","now":2,"from":1,"expected":1,"shown":1,"lost":0,"twice":0,"gone":0,
			"gaps":[{"from":1,"to":2,"before":"a","after":null}],"posts":[{"made":1,"at":2,"late":false}]}""";

	@Provide
	Arbitrary<String> texts() {
		return HostileText.upTo(20_000);
	}

	@Provide
	Arbitrary<Integer> places() {
		return Arbitraries.integers().between(0, LEDGER.length());
	}

	/** A text in place of a part of a ledger. */
	@Property
	void aLedgerIsSoundOrRefused(@ForAll("texts") String text, @ForAll("places") int one, @ForAll("places") int other) {
		String json = LEDGER.substring(0, Math.min(one, other)) + text + LEDGER.substring(Math.max(one, other));
		PageStreamReport report = HostileText.inTime(() -> {
			try {
				return JsonMapper.shared().readValue(json, PageStreamReport.class);
			}
			catch (JacksonException refused) {
				return null;
			}
		});
		if (report != null && report.isSound()) {
			assertThat(report.stream().length()).isLessThanOrEqualTo(100);
			assertThat(report.gaps()).doesNotContainNull().hasSizeLessThanOrEqualTo(50);
			assertThat(report.longestGap()).isNotNull();
		}
	}

}
