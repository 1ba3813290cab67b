package live.retwis.locks.lab.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.engine.LabLocks;
import live.retwis.locks.lab.engine.LockOpener;
import live.retwis.locks.lab.engine.ProtectedStore;
import live.retwis.locks.lab.history.HistoryJson;

/**
 * A client in a process of its own, which can be stopped and killed. Takes orders on
 * stdin and tells events on stdout, one a line; ends with its stdin, so that it never
 * outlives its lab.
 */
public final class ClientMain {

	/** What it prints when it takes orders. */
	static final String READY = "ready";

	private ClientMain() {
	}

	/**
	 * Runs until the end of stdin.
	 * @param args name, engine, port of the store, the node time-out in ms, and the
	 * address of each node
	 */
	public static void main(String[] args) throws IOException {
		run(List.of(args), LabEngine.of(args[1]).orElseThrow(), System.in, System.out);
		// Threads of a client library that cannot be shut down do not hold it.
		System.exit(0);
	}

	static void run(List<String> args, LockOpener opening, InputStream in, PrintStream out) throws IOException {
		ProtectedStore store = new ProtectedStore(Integer.parseInt(args.get(2)));
		Duration nodeTimeout = Duration.ofMillis(Long.parseLong(args.get(3)));
		try (LabLocks locks = opening.open(args.subList(4, args.size()), nodeTimeout, store)) {
			LockUser user = new LockUser(args.get(0), locks, store, (event) -> println(out, HistoryJson.line(event)));
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
