package live.retwis.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

import live.retwis.testing.Answer;
import live.retwis.testing.RunningCluster;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each kind of data servers, with everything broken once, and started again. After a
 * failure the directory stays, with the logs of all parts.
 */
@Timeout(600)
class ClusterProgramChaos {

	private static final Duration WHOLE = Duration.ofSeconds(120);

	@ParameterizedTest
	@EnumSource(DataTopology.class)
	void whateverIsBrokenIsHealedAndPostsOutliveTheProgram(DataTopology kind,
			@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) {
		String data = "--data=" + kind.name().toLowerCase(Locale.ROOT);
		String name;
		String post;
		try (RunningCluster cluster = RunningCluster.start(directory, "--size=3", data)) {
			Visitor alice = Visitor.registered(cluster.origin());
			name = alice.name();
			for (ClusterFaultKind broken : ClusterFaultKind.values()) {
				awaitWhole(alice);
				alice.get("/break");
				Answer answer = alice.submitJson("/break", "kind", broken.toString(), "instance", "instance-2",
						"seconds", "5");
				assertThat(answer.status()).as(broken + ": " + answer.body()).isEqualTo(200);
				awaitWhole(alice);
				alice.post("after " + broken);
			}
			post = alice.post("the last one");
			cluster.end("INT", cluster.parts());
		}
		try (RunningCluster again = RunningCluster.start(directory, "--size=1", data)) {
			Visitor alice = Visitor.signedIn(again.origin(), name);
			assertThat(alice.get("/posts/" + post).status()).isEqualTo(200);
			assertThat(alice.get("/@" + name).body())
				.contains(List.of(ClusterFaultKind.values()).stream().map((broken) -> "after " + broken).toList());
			again.end("TERM", again.parts());
		}
	}

	private static void awaitWhole(Visitor visitor) {
		Awaitility.await("all parts")
			.atMost(WHOLE)
			.pollDelay(Duration.ofSeconds(1))
			.ignoreExceptions()
			.until(() -> visitor.getJson("/break").json().get("breakable").asBoolean());
	}

}
