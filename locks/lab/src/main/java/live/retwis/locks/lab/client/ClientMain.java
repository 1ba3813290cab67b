package live.retwis.locks.lab.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import live.retwis.locks.lab.engine.LabLocks;
import live.retwis.locks.lab.engine.LockOpener;
import live.retwis.locks.lab.engine.ProtectedStore;
import live.retwis.locks.lab.history.HistoryJson;

/**
 * A client in a process of its own, which can be stopped and killed. It reads orders from
 * stdin and writes events to stdout, one in each line. It ends when its stdin does, so
 * that it never outlives its lab.
 */
public final class ClientMain {

	/** The line that it writes when it can take orders. */
	static final String READY = "ready";

	private ClientMain() {
	}

	/**
	 * Runs until the end of stdin.
	 * @param args the client's name, the engine with its fence, the port of the store,
	 * the node time-out in ms, and the address of each node
	 */
	public static void main(String[] args) throws IOException {
		run(List.of(args), ClientLockConfig.parse(args[1]).opening(), System.in, System.out);
		// Some threads of client libraries cannot be shut down. They must not keep the
		// process from ending.
		System.exit(0);
	}

	static void run(List<String> args, LockOpener opening, InputStream in, PrintStream out) throws IOException {
		ProtectedStore store = new ProtectedStore(Integer.parseInt(args.get(2)));
		Duration nodeTimeout = Duration.ofMillis(Long.parseLong(args.get(3)));
		try (LabLocks locks = opening.open(args.subList(4, args.size()), nodeTimeout, store)) {
			HistoryRecordingClient user = new HistoryRecordingClient(args.get(0), locks, store,
					(event) -> println(out, HistoryJson.line(event)));
			println(out, READY);
			BufferedReader orders = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
			for (String line = orders.readLine(); line != null; line = orders.readLine()) {
				user.run(OperationRequest.parse(line));
			}
		}
	}

	private static void println(PrintStream out, String line) {
		out.print(line + "\n");
		out.flush();
	}

}
