package live.retwis.locks.nodes.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import com.github.dockerjava.api.DockerClient;
import org.awaitility.Awaitility;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * A server in a container. Its port on the host is fixed, because Docker would choose
 * another one at each restart.
 */
final class ContainerRedis implements TestRedis {

	static final DockerImageName IMAGE = DockerImageName.parse("redis:7-alpine");

	private static final int REDIS_PORT = 6379;

	private final Container container;

	private final int port;

	private ContainerRedis(List<String> directives) {
		this.port = freePort();
		this.container = new Container(this.port, directives);
	}

	static ContainerRedis start(List<String> directives) {
		ContainerRedis redis = new ContainerRedis(directives);
		try {
			redis.container.start();
			InlineProtocol.awaitReady(redis.host(), redis.port);
			return redis;
		}
		catch (RuntimeException ex) {
			redis.close();
			throw ex;
		}
	}

	private static int freePort() {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public String host() {
		return this.container.getHost();
	}

	@Override
	public int port() {
		return this.port;
	}

	/**
	 * The address inside the engine's network, because the port on the host may be
	 * reachable from the host only.
	 */
	@Override
	public String peer() {
		return docker().inspectContainerCmd(id())
			.exec()
			.getNetworkSettings()
			.getNetworks()
			.values()
			.iterator()
			.next()
			.getIpAddress() + " " + REDIS_PORT;
	}

	@Override
	public void pause() {
		docker().pauseContainerCmd(id()).exec();
	}

	@Override
	public void resume() {
		docker().unpauseContainerCmd(id()).exec();
	}

	/** Docker sends no signal to a paused container, so the container continues first. */
	@Override
	public void kill() {
		if (Boolean.TRUE.equals(docker().inspectContainerCmd(id()).exec().getState().getPaused())) {
			resume();
		}
		if (isRunning()) {
			docker().killContainerCmd(id()).exec();
			Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> !isRunning());
		}
	}

	@Override
	public void restart() {
		kill();
		docker().startContainerCmd(id()).exec();
		InlineProtocol.awaitReady(host(), this.port);
	}

	@Override
	public void close() {
		this.container.stop();
	}

	private boolean isRunning() {
		return Boolean.TRUE.equals(docker().inspectContainerCmd(id()).exec().getState().getRunning());
	}

	private String id() {
		return this.container.getContainerId();
	}

	private DockerClient docker() {
		return this.container.getDockerClient();
	}

	@Override
	public String toString() {
		return IMAGE.asCanonicalNameString();
	}

	private static final class Container extends GenericContainer<Container> {

		Container(int port, List<String> directives) {
			super(IMAGE);
			addFixedExposedPort(port, REDIS_PORT);
			List<String> command = new ArrayList<>(List.of("redis-server", "--save", "", "--protected-mode", "no"));
			for (String directive : directives) {
				command.addAll(List.of(("--" + directive).split(" ")));
			}
			withCommand(command.toArray(String[]::new));
		}

	}

}
