package live.retwis.cluster;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import live.retwis.locks.lab.client.JavaCommandLine;
import live.retwis.locks.nodes.Poll;
import live.retwis.locks.nodes.ProcessProbe;
import live.retwis.locks.nodes.SetsidPrefix;
import live.retwis.locks.nodes.Signal;

/**
 * One instance of the site, in a JVM of its own. It is started again on the same ports.
 * One thread at a time may change it. Any thread may ask it.
 */
final class AppInstanceProcess implements LoadBalancerBackend {

	/** Enough for a few hundred readers. */
	private static final String HEAP = "-Xmx256m";

	private static final Duration ANSWER = Duration.ofSeconds(1);

	private static final Duration END = Duration.ofSeconds(10);

	/** Its HTTP client is shared by all instances. */
	private static final HttpClient CLIENT = HttpClient.newBuilder()
		.version(HttpClient.Version.HTTP_1_1)
		.connectTimeout(ANSWER)
		.build();

	private final String name;

	private final int port;

	private final URI readiness;

	private final InstanceFaultProxies links;

	private final ProcessGuard guard;

	private final ProcessBuilder builder;

	private volatile Process process;

	private volatile boolean ready;

	private volatile boolean paused;

	/**
	 * Starts an instance and returns at once.
	 * @param program the main class of this program
	 * @param log file for its output
	 * @param links its ways to the data nodes
	 * @param environment what nobody else on this machine should read
	 * @param settings of the form {@code --property=value}
	 */
	AppInstanceProcess(String name, Class<?> program, File log, LocalPorts ports, InstanceFaultProxies links,
			ProcessGuard guard, Map<String, String> environment, List<String> settings) {
		this.name = name;
		this.port = ports.next();
		int management = ports.next();
		this.readiness = URI.create("http://127.0.0.1:" + management + "/actuator/health/readiness");
		this.links = links;
		this.guard = guard;
		List<String> arguments = new ArrayList<>(List.of("serve", "--server.port=" + this.port,
				"--server.address=127.0.0.1", "--management.server.port=" + management, "--retwis.instance=" + name));
		arguments.addAll(settings);
		List<String> command = new ArrayList<>(SetsidPrefix.prefix());
		command.addAll(JavaCommandLine.program(List.of(HEAP), program, arguments));
		this.builder = new ProcessBuilder(command).redirectInput(Path.of("/dev/null").toFile())
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(log));
		this.builder.environment().putAll(environment);
		this.process = launch();
	}

	private Process launch() {
		try {
			Process launched = this.builder.start();
			this.guard.started(launched.pid());
			return launched;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(this.name + " cannot be started", ex);
		}
	}

	String name() {
		return this.name;
	}

	InstanceFaultProxies links() {
		return this.links;
	}

	@Override
	public int port() {
		return this.port;
	}

	@Override
	public boolean isReady() {
		return this.ready;
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	PartState state() {
		return !isAlive() ? PartState.DOWN
				: this.paused ? PartState.PAUSED : this.ready ? PartState.UP : PartState.NOT_READY;
	}

	/**
	 * Asks whether it is ready. The result is known within a second, and
	 * {@link #isReady()} tells it.
	 */
	CompletableFuture<Void> check() {
		if (!isAlive()) {
			this.ready = false;
			return CompletableFuture.completedFuture(null);
		}
		return CLIENT
			.sendAsync(HttpRequest.newBuilder(this.readiness).timeout(ANSWER).build(), BodyHandlers.discarding())
			.handle((answer, error) -> {
				this.ready = error == null && answer.statusCode() == 200;
				return null;
			});
	}

	void kill() {
		this.ready = false;
		this.process.destroyForcibly();
		awaitEnd();
		this.paused = false;
	}

	void pause() {
		Signal.STOP.send(this.process.pid());
		this.paused = true;
	}

	void resume() {
		if (this.paused && isAlive()) {
			Signal.CONT.send(this.process.pid());
		}
		this.paused = false;
	}

	/** Starts it again, and returns at once. It must have ended. */
	void restart() {
		this.process = launch();
	}

	/** Asks it to end (SIGTERM), and returns at once. */
	void terminate() {
		resume();
		this.ready = false;
		this.process.destroy();
	}

	/** Waits for its end, at most 10 s. Then it is killed. */
	void awaitEnd() {
		if (!Poll.until(END, () -> !this.process.isAlive())) {
			this.process.destroyForcibly();
			Poll.until(END, () -> ProcessProbe.isGone(this.process.pid()));
		}
	}

}
