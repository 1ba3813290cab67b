package live.retwis.locks.lab.steps;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

import live.retwis.locks.lab.history.HistoryJson;
import live.retwis.locks.lab.history.RoundRecord;
import live.retwis.locks.lab.report.LabReport;
import live.retwis.locks.lab.steps.AcquisitionTrace.Exchange;
import live.retwis.locks.lab.steps.AcquisitionTrace.Question;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The five steps, read from recorded rounds of scenario 8a, in which the answer of node 3
 * is held up.
 */
class AcquisitionReaderTests {

	private static List<AcquisitionTrace> recorded(String file) {
		return AcquisitionReader.of(round(file));
	}

	private static RoundRecord round(String file) {
		try (InputStream in = AcquisitionReaderTests.class.getResourceAsStream(file)) {
			String json = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
			return HistoryJson.read(json, LabReport.class).rounds().get(0).record();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Test
	void redissonSkipsTheClockAndReliesOnALeaseThatIsOver() {
		AcquisitionTrace a = recorded("reply-raw.json").get(0);
		assertThat(a.client()).isEqualTo("A");
		assertThat(a.outcome()).isEqualTo("acquired");
		assertThat(a.timed()).isFalse();
		assertThat(a.asked()).extracting(Exchange::says).containsExactly("no", "no", "no", "yes", "yes");
		assertThat(a.asked().get(2).questions()).extracting(Question::says).containsExactly("yes", "no");
		assertThat(a.asked().get(2).questions().get(0).command()).startsWith("EVAL")
			.contains("exists")
			.endsWith("→ nil");
		assertThat(a.votes()).as("the first answers, which are all that it heeds").isEqualTo(5);
		assertThat(a.needed()).isEqualTo(3);
		assertThat(a.heedsSecond()).isFalse();
		assertThat(a.majority()).isEqualTo(a.asked().get(2).questions().get(0).answered());
		assertThat(a.validity()).as("what would be left").isNegative();
		assertThat(a.reliesUntil()).isEqualTo(a.until() + a.lease());
		assertThat(a.released()).as("nodes 1 to 3 had forgotten A")
			.extracting(Exchange::says)
			.containsExactly("gone", "gone", "gone", "yes", "yes");
	}

	@Test
	void ourLockHasAMajorityWithoutTheNodeWhoseAnswerIsHeldAndSubtractsWhatItTook() {
		AcquisitionTrace a = recorded("reply-redisson.json").get(0);
		assertThat(a.timed()).isTrue();
		assertThat(a.asked()).extracting(Exchange::says).containsExactly("yes", "yes", "late", "yes", "yes");
		assertThat(a.majority()).isBetween(a.from(), a.until());
		assertThat(a.drift()).isEqualTo(12_000_000);
		assertThat(a.elapsed()).isPositive();
		assertThat(a.lease() - a.elapsed() - a.drift()).isEqualTo(a.validity()).isPositive();
		assertThat(a.reliesUntil()).isEqualTo(a.until() + a.validity());
		assertThat(a.released()).filteredOn((node) -> node.questions().stream().anyMatch((one) -> one.answered() >= 0))
			.hasSizeGreaterThanOrEqualTo(4);
	}

	@Test
	void aRefusedClientThatHoldsNoKeyHasNothingToGiveBack() {
		assertThat(recorded("reply-redisson.json")).filteredOn((one) -> one.outcome().equals("taken"))
			.isNotEmpty()
			.allSatisfy((one) -> {
				assertThat(one.client()).isEqualTo("B");
				assertThat(one.majority()).isNegative();
				assertThat(one.reliesUntil()).isNegative();
			});
	}

	@Test
	void aHistoryWithoutTrafficDoesNotTellThatNoNodeWasAsked() {
		RoundRecord round = round("reply-raw.json");
		RoundRecord bare = round.with("",
				round.events().stream().filter((event) -> !event.kind().name().matches("ASKED|ANSWERED")).toList());
		assertThat(AcquisitionReader.of(bare)).isEmpty();
	}

	@Test
	void theNotableOnesAreTheLastThatGotTheLockAndTheLastThatDidNot() {
		List<AcquisitionTrace> notable = AcquisitionReader.notable(round("reply-redisson.json"), 2);
		assertThat(notable).extracting(AcquisitionTrace::outcome).containsExactly("acquired", "taken", "taken");
		assertThat(notable.get(2).from())
			.isEqualTo(recorded("reply-redisson.json").stream().mapToLong(AcquisitionTrace::from).max().orElseThrow());
	}

}
