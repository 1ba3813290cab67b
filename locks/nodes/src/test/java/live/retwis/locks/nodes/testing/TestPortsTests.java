package live.retwis.locks.nodes.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class TestPortsTests {

	private static final int PORTS = 300;

	private static ServerSocket listen(int port) throws IOException {
		return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
	}

	@Test
	void aPortWithAServerIsNotFree() throws IOException {
		int port = TestPorts.next();
		assertThat(TestPorts.isFree(port)).isTrue();
		try (ServerSocket server = listen(port)) {
			assertThat(TestPorts.isFree(server.getLocalPort())).isFalse();
		}
	}

	@Test
	void aPortCanBeListenedOnWhileProcessesAreStarted() throws IOException {
		try (StartingProcesses parts = new StartingProcesses()) {
			for (int i = 0; i < PORTS; i++) {
				listen(TestPorts.next()).close();
			}
		}
	}

}
