package live.retwis.locks.nodes.testing;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(10)
class DockerEngineTests {

	@Test
	void onlyASocketWithAListenerCountsAsAnEngine(@TempDir Path directory) throws Exception {
		Path socket = directory.resolve("docker.sock");
		URI door = URI.create("unix://" + socket);
		assertThat(DockerEngine.opens(door)).isFalse();
		try (ServerSocketChannel engine = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
			engine.bind(UnixDomainSocketAddress.of(socket));
			assertThat(DockerEngine.opens(door)).isTrue();
		}
		assertThat(socket).exists();
		assertThat(DockerEngine.opens(door)).isFalse();
	}

	@Test
	void anEngineCanListenOnATcpPort() throws Exception {
		URI door;
		try (ServerSocket engine = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			door = URI.create("tcp://127.0.0.1:" + engine.getLocalPort());
			assertThat(DockerEngine.opens(door)).isTrue();
		}
		assertThat(DockerEngine.opens(door)).isFalse();
	}

	@Test
	void dockerHostIsTheOnlyAddressWhenItIsSet() {
		assertThat(DockerEngine.doors(Map.of("DOCKER_HOST", "tcp://10.0.0.1:2375"), "/home/x"))
			.containsExactly(URI.create("tcp://10.0.0.1:2375"));
		assertThat(DockerEngine.doors(Map.of("XDG_RUNTIME_DIR", "/run/user/7"), "/home/x")).containsExactly(
				URI.create("unix:///var/run/docker.sock"), URI.create("unix:///run/user/7/docker.sock"),
				URI.create("unix:///home/x/.docker/run/docker.sock"));
	}

}
