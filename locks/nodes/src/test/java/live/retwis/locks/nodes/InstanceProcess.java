package live.retwis.locks.nodes;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * An instance of the program in its own JVM and process group, as in its own terminal. It
 * joins the nodes, and leaves them when it is told to end.
 */
final class InstanceProcess implements AutoCloseable {

	private final Process process;

	private final BufferedReader output;

	private InstanceProcess(Process process) {
		this.process = process;
		this.output = process.inputReader();
	}

	/** Runs in the other JVM. */
	public static void main(String[] arguments) throws IOException {
		EmbeddedNodes nodes = EmbeddedNodes.join(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
		Runtime.getRuntime().addShutdownHook(new Thread(nodes::close));
		System.out.println("joined " + nodes.dataPort());
		System.in.read();
	}

	/** Starts the process and returns at once. {@link #awaitJoined()} waits for it. */
	static InstanceProcess launch(Path directory, int base) throws IOException {
		List<String> command = new ArrayList<>();
		Path setsid = Path.of("/usr/bin/setsid");
		if (Files.isExecutable(setsid)) {
			command.add(setsid.toString());
		}
		if (Files.exists(Path.of("/proc/self"))) {
			// If a shell started the tests in the background, they and their children
			// would ignore Ctrl-C.
			command.addAll(List.of("env", "--default-signal=INT"));
		}
		command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
				InstanceProcess.class.getName(), directory.toString(), String.valueOf(base)));
		return new InstanceProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
	}

	static InstanceProcess join(Path directory, int base) throws Exception {
		return launch(directory, base).awaitJoined();
	}

	InstanceProcess awaitJoined() throws Exception {
		CompletableFuture<String> printed = CompletableFuture.supplyAsync(this::readUntilJoined);
		String text = printed.get(30, TimeUnit.SECONDS);
		if (!text.contains("joined ")) {
			throw new AssertionError(text);
		}
		return this;
	}

	private String readUntilJoined() {
		StringBuilder text = new StringBuilder();
		try {
			for (String line = this.output.readLine(); line != null; line = this.output.readLine()) {
				text.append(line).append('\n');
				if (line.startsWith("joined ")) {
					break;
				}
			}
		}
		catch (IOException ex) {
			text.append(ex);
		}
		return text.toString();
	}

	/** Ends the process in the normal way. */
	void end() throws Exception {
		this.process.destroy();
		awaitEnd();
	}

	/** Sends the signal of Ctrl-C to every process of the group, as a terminal does. */
	void interruptGroup() throws Exception {
		new ProcessBuilder("sh", "-c", "kill -INT -" + this.process.pid()).inheritIO().start().waitFor();
		awaitEnd();
	}

	/** Kills the process, as the system does when memory runs out. */
	void kill() throws Exception {
		this.process.destroyForcibly();
		awaitEnd();
	}

	private void awaitEnd() throws Exception {
		if (!this.process.waitFor(20, TimeUnit.SECONDS)) {
			throw new AssertionError("The instance runs on");
		}
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

}
