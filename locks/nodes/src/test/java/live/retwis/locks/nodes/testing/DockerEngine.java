package live.retwis.locks.nodes.testing;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Checks whether a Docker engine answers, at the addresses where Testcontainers would
 * look. Testcontainers itself takes seconds, and prints stack traces if there is no
 * engine.
 */
public final class DockerEngine {

	/** Milliseconds for each address. */
	private static final int TIMEOUT = 500;

	private DockerEngine() {
	}

	/** Whether an engine answers. Takes 1.5 s at most. */
	public static boolean answers() {
		return doors(System.getenv(), System.getProperty("user.home")).stream().anyMatch(DockerEngine::opens);
	}

	/** The addresses: {@code DOCKER_HOST} if it is set, else the usual sockets. */
	static List<URI> doors(Map<String, String> environment, String home) {
		String host = environment.get("DOCKER_HOST");
		if (host != null && !host.isBlank()) {
			return List.of(URI.create(host));
		}
		return Stream
			.of("/var/run/docker.sock", environment.getOrDefault("XDG_RUNTIME_DIR", "/run/user/none") + "/docker.sock",
					home + "/.docker/run/docker.sock")
			.map((socket) -> URI.create("unix://" + socket))
			.toList();
	}

	static boolean opens(URI door) {
		return CompletableFuture.supplyAsync(() -> connects(door))
			.completeOnTimeout(false, TIMEOUT, TimeUnit.MILLISECONDS)
			.join();
	}

	private static boolean connects(URI door) {
		try {
			if ("unix".equals(door.getScheme())) {
				SocketAddress address = UnixDomainSocketAddress.of(Path.of(door.getPath()));
				try (SocketChannel channel = SocketChannel.open(address)) {
					return channel.isConnected();
				}
			}
			try (Socket socket = new Socket()) {
				socket.connect(new InetSocketAddress(door.getHost(), door.getPort()), TIMEOUT);
				return true;
			}
		}
		catch (IOException | RuntimeException ex) {
			return false;
		}
	}

}
