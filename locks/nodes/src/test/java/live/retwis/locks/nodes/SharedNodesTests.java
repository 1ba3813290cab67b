package live.retwis.locks.nodes;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Several instances, each in its own process.
 */
class SharedNodesTests extends NodesInDirectory {

	private final Path elsewhere;

	SharedNodesTests(@TempDir Path here, @TempDir Path elsewhere) {
		super(here);
		this.elsewhere = elsewhere;
	}

	@Test
	void aSecondInstanceJoinsTheRunningNodesAndTheLastOneStopsThem() throws Exception {
		try (InstanceProcess first = InstanceProcess.join(this.here, this.ports.base)) {
			List<Long> pids = this.ports.pids();
			assertThat(pids).hasSize(6);
			try (InstanceProcess second = InstanceProcess.join(this.elsewhere, this.ports.base)) {
				assertThat(this.ports.pids()).isEqualTo(pids);
				first.end();
				assertThat(this.ports.pids()).isEqualTo(pids);
				second.end();
				assertThat(this.ports.pids()).isEmpty();
				assertThat(pids).allMatch(ProcessProbe::isGone);
			}
			assertThat(this.elsewhere).isEmptyDirectory();
		}
	}

	@Test
	void ctrlCInOneTerminalDoesNotStopTheNodesOfAnother() throws Exception {
		try (InstanceProcess first = InstanceProcess.join(this.here, this.ports.base);
				InstanceProcess second = InstanceProcess.join(this.here, this.ports.base)) {
			List<Long> pids = this.ports.pids();
			first.interruptGroup();
			assertThat(this.ports.pids()).isEqualTo(pids).hasSize(6);
			second.interruptGroup();
			assertThat(this.ports.pids()).isEmpty();
		}
	}

	@Test
	void aKilledInstanceCountsAsGoneAtOnce() throws Exception {
		try (InstanceProcess first = InstanceProcess.join(this.here, this.ports.base);
				InstanceProcess second = InstanceProcess.join(this.here, this.ports.base)) {
			first.kill();
			assertThat(this.ports.pids()).hasSize(6);
			second.end();
			assertThat(this.ports.pids()).isEmpty();
		}
	}

	@Test
	void theNextInstanceTakesOverTheNodesOfAKilledOne() throws Exception {
		try (InstanceProcess killed = InstanceProcess.join(this.here, this.ports.base)) {
			List<Long> pids = this.ports.pids();
			killed.kill();
			try (InstanceProcess next = InstanceProcess.join(this.elsewhere, this.ports.base)) {
				assertThat(this.ports.pids()).isEqualTo(pids);
				next.end();
				assertThat(this.ports.pids()).isEmpty();
			}
		}
	}

	@Test
	void instancesThatStartAtTheSameTimeInTwoDirectoriesShareOneSetOfNodes() throws Exception {
		try (InstanceProcess one = InstanceProcess.launch(this.here, this.ports.base);
				InstanceProcess two = InstanceProcess.launch(this.elsewhere, this.ports.base)) {
			one.awaitJoined();
			two.awaitJoined();
			assertThat(this.ports.running()).hasSize(6)
				.extracting(EmbeddedNodeSpec.State.Running::data)
				.containsOnly(this.ports.running().get(0).data());
			one.end();
			assertThat(this.ports.pids()).hasSize(6);
			two.end();
			assertThat(this.ports.pids()).isEmpty();
		}
	}

}
