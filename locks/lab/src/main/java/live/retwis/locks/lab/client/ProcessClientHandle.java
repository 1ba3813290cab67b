package live.retwis.locks.lab.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

import live.retwis.locks.lab.history.History;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryEvent.Kind;
import live.retwis.locks.lab.history.HistoryJson;
import live.retwis.locks.lab.node.ProcessRegistry;
import live.retwis.locks.nodes.Poll;
import live.retwis.locks.nodes.ProcessProbe;
import live.retwis.locks.nodes.Signal;
import live.retwis.locks.nodes.Uninterrupted;

/**
 * A client in a process of its own, which can be stopped and killed.
 */
public final class ProcessClientHandle implements ClientHandle {

	/** The longest time in which a JVM starts on a busy machine. */
	private static final Duration START = Duration.ofSeconds(60);

	private static final Duration END = Duration.ofSeconds(10);

	private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

	static {
		Runtime.getRuntime()
			.addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly), "lab-clients"));
	}

	private final Process process;

	private final Writer orders;

	private final CountDownLatch ready = new CountDownLatch(1);

	/** Operations that have not returned yet. */
	private final Map<Long, Target> targets = new ConcurrentHashMap<>();

	private record Target(History history, SubmittedOperation call) {
	}

	/** Starts the process and waits until it has reached its nodes. */
	ProcessClientHandle(Class<?> program, List<String> args, ProcessRegistry processRegistry) {
		try {
			this.process = new ProcessBuilder(JavaCommandLine.client(program, args)).redirectError(Redirect.DISCARD)
				.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("A client process cannot be started", ex);
		}
		RUNNING.add(this.process);
		processRegistry.recordStarting(this.process.pid());
		this.orders = this.process.outputWriter(StandardCharsets.UTF_8);
		Thread reader = new Thread(this::read, "lab-client-" + args.get(0));
		reader.setDaemon(true);
		reader.start();
		if (!Poll.until(START, () -> this.ready.getCount() == 0 || !this.process.isAlive())
				|| !this.process.isAlive()) {
			String how = this.process.isAlive() ? "in " + START.toSeconds() + " s"
					: "and ended with " + this.process.exitValue();
			Uninterrupted.run(this::close);
			throw new IllegalStateException("Client process " + args.get(0) + " did not start " + how);
		}
		processRegistry.ready(this.process.pid());
	}

	private void read() {
		try (BufferedReader lines = new BufferedReader(
				new InputStreamReader(this.process.getInputStream(), StandardCharsets.UTF_8))) {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				if (line.equals(ClientMain.READY)) {
					this.ready.countDown();
				}
				else if (line.startsWith("{")) {
					note(HistoryJson.read(line, HistoryEvent.class));
				}
			}
		}
		catch (IOException ex) {
			// The process was killed. What it did not say is not known.
		}
	}

	private void note(HistoryEvent event) {
		Target target = this.targets.get(event.operation());
		if (target != null) {
			target.history().add(event);
			if (event.kind() == Kind.RETURN) {
				this.targets.remove(event.operation());
				target.call().ended(event);
			}
		}
	}

	@Override
	public SubmittedOperation submit(OperationRequest work, History history) {
		SubmittedOperation call = new SubmittedOperation();
		this.targets.put(work.operation(), new Target(history, call));
		try {
			this.orders.write(work.line() + "\n");
			this.orders.flush();
		}
		catch (IOException ex) {
			// The process is dead, and its operation never returns.
		}
		return call;
	}

	/** True, because the process waited for all of its nodes when it started. */
	@Override
	public boolean reaches(int node) {
		return this.process.isAlive();
	}

	/** Sends SIGSTOP. The process stands still when this returns. */
	public void stop() {
		Signal.STOP.send(this.process.pid());
	}

	/** Sends SIGCONT. */
	public void resume() {
		Signal.CONT.send(this.process.pid());
	}

	/** Sends SIGKILL. The process is dead when this returns. */
	public void kill() {
		this.process.destroyForcibly();
		if (!Poll.until(END, () -> !this.process.isAlive())) {
			throw new IllegalStateException("Client process " + this.process.pid() + " outlived SIGKILL");
		}
	}

	/**
	 * The state as the system tells it: {@code T} for stopped, {@code gone} or
	 * {@code running}.
	 */
	public String state() {
		return !this.process.isAlive() ? "gone" : ProcessProbe.isStopped(this.process.pid()) ? "T" : "running";
	}

	@Override
	public void close() {
		try {
			kill();
		}
		finally {
			RUNNING.remove(this.process);
		}
	}

}
