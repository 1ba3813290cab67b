package live.retwis.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

import live.retwis.locks.nodes.testing.StartingProcesses;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class LocalPortsTests {

	private static final int PORTS = 300;

	private static ServerSocket listen(int port) throws IOException {
		return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
	}

	@Test
	void aPortWithAServerIsNotFree() throws IOException {
		try (ServerSocket server = listen(new LocalPorts().next())) {
			assertThat(LocalPorts.isFree(server.getLocalPort())).isFalse();
		}
	}

	@Test
	void aPortCanBeListenedOnWhileOtherPartsAreStarted() throws IOException {
		LocalPorts ports = new LocalPorts();
		try (StartingProcesses parts = new StartingProcesses()) {
			for (int i = 0; i < PORTS; i++) {
				int port = ports.next();
				listen(port).close();
				listen(port + LocalPorts.APART).close();
			}
		}
	}

}
