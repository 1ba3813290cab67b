package live.retwis.locks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Records all commands that a node executes from now on, by clients and by scripts.
 */
final class CommandMonitor implements AutoCloseable {

	private static final int TIMEOUT_MILLIS = 5000;

	private final int port;

	private final Socket socket;

	private final BufferedReader lines;

	CommandMonitor(int port) throws IOException {
		this.port = port;
		this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
		this.socket.setSoTimeout(TIMEOUT_MILLIS);
		this.lines = new BufferedReader(new InputStreamReader(this.socket.getInputStream(), StandardCharsets.UTF_8));
		this.socket.getOutputStream().write("MONITOR\r\n".getBytes(StandardCharsets.UTF_8));
		this.lines.readLine();
	}

	/**
	 * The commands of clients since the last call. A script is followed by the commands
	 * that it called, such as {@code eval exists hset pexpire}.
	 */
	List<String> commands() throws IOException {
		InlineCommand.ask(this.port, "ECHO so-far");
		List<String> commands = new ArrayList<>();
		for (String line = this.lines.readLine(); !line.contains("so-far"); line = this.lines.readLine()) {
			String name = line.split("\"")[1].toLowerCase(Locale.ROOT);
			if (line.contains(" lua] ")) {
				commands.add(commands.remove(commands.size() - 1) + " " + name);
			}
			else {
				commands.add(name);
			}
		}
		return commands;
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

}
