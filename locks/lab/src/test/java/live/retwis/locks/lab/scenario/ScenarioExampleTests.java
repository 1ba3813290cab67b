package live.retwis.locks.lab.scenario;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import live.retwis.locks.lab.LabListener;
import live.retwis.locks.lab.LabRun;
import live.retwis.locks.lab.RunRequest;
import live.retwis.locks.lab.check.RoundOutcome;
import live.retwis.locks.lab.engine.FencingMode;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.play.LabSettings;
import live.retwis.locks.lab.report.RoundResultFormatter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The scenario in {@code SCENARIOS.md} works.
 */
@Timeout(60)
class ScenarioExampleTests {

	/** Nodes that are well may be slow on a busy machine. */
	private static final LabSettings PATIENT = new LabSettings(5, Duration.ofSeconds(5), Duration.ofSeconds(1),
			FencingMode.ENGINE);

	@Test
	void theDocumentShowsTheSourceOfTheScenario() throws Exception {
		String source = Files
			.readString(Path.of("src/test/java", PausedMinorityScenario.class.getName().replace('.', '/') + ".java"));
		String shown = source.substring(source.indexOf("final class"));
		assertThat(Files.readString(Path.of("SCENARIOS.md"))).contains("```java\n" + shown + "```");
		assertThat(shown.lines().filter((line) -> !line.isBlank())).hasSizeLessThanOrEqualTo(30);
	}

	@Test
	@Tag("slow")
	void theScenarioEndsAsItDescribes() {
		RunRequest order = new RunRequest(List.of(new PausedMinorityScenario()), List.of(LabEngine.REDISSON), PATIENT,
				1, 1);
		assertThat(new LabRun(new LabListener() {
		}).play(order).rounds()).singleElement()
			.satisfies((round) -> assertThat(round.ending()).as(RoundResultFormatter.result(round))
				.isEqualTo(RoundOutcome.AS_DESCRIBED));
	}

}
