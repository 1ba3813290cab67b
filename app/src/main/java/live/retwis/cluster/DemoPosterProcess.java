package live.retwis.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import live.retwis.locks.lab.client.JavaCommandLine;
import live.retwis.locks.nodes.SetsidPrefix;

/**
 * The command {@code demo --add} in a process of its own. It goes past the faults: what
 * it posts is acknowledged while pages are broken.
 *
 * @param process the process
 */
record DemoPosterProcess(Process process) {

	private static final String HEAP = "-Xmx128m";

	static DemoPosterProcess start(Class<?> program, File log, ProcessGuard guard, List<String> settings) {
		List<String> arguments = new ArrayList<>(List.of("demo", "--add"));
		arguments.addAll(settings);
		List<String> command = new ArrayList<>(SetsidPrefix.prefix());
		command.addAll(JavaCommandLine.program(List.of(HEAP), program, arguments));
		try {
			Process started = new ProcessBuilder(command).redirectInput(Path.of("/dev/null").toFile())
				.redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.appendTo(log))
				.start();
			guard.started(started.pid());
			return new DemoPosterProcess(started);
		}
		catch (IOException ex) {
			throw new ClusterException("The demo cannot be started: " + ex, ex);
		}
	}

	void end() {
		this.process.destroyForcibly();
	}

}
