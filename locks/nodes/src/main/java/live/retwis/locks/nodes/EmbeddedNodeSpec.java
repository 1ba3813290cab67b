package live.retwis.locks.nodes;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One embedded node: its role and its port. Any instance knows it by the name of its
 * config file, which {@code INFO server} tells. The place of that file tells where the
 * node's data is.
 *
 * @param role {@code data} or {@code lock}
 * @param port on 127.0.0.1
 */
record EmbeddedNodeSpec(String role, int port) {

	private static final int LOCK_NODES = 5;

	/** The data node at the base port, and the lock nodes at the five ports after it. */
	static List<EmbeddedNodeSpec> from(int base) {
		Stream<EmbeddedNodeSpec> locks = IntStream.rangeClosed(base + 1, base + LOCK_NODES)
			.mapToObj((port) -> new EmbeddedNodeSpec("lock", port));
		return Stream.concat(Stream.of(new EmbeddedNodeSpec("data", base)), locks).toList();
	}

	/** What answers at a node's port. */
	sealed interface State {

		/** Nobody listens there. */
		record Free() implements State {
		}

		/** The node, started by this program. It may still be loading its data. */
		record Running(Path data, long pid) implements State {
		}

		/** Another program listens there. */
		record Foreign(String what) implements State {
		}

	}

	State state(ServerIdentityProbe client) {
		ServerIdentityProbe.Reply reply = client.info(this.port);
		if (reply instanceof ServerIdentityProbe.Reply.Info info) {
			Path config = Path.of(info.fields().getOrDefault("config_file", ""));
			if (config.endsWith(configName())) {
				return new State.Running(config.resolve("../..").normalize(),
						Long.parseLong(info.fields().getOrDefault("process_id", "0")));
			}
			return new State.Foreign(
					"Redis " + info.fields().get("redis_version") + ", process " + info.fields().get("process_id"));
		}
		return (reply instanceof ServerIdentityProbe.Reply.Odd odd) ? new State.Foreign(odd.why()) : new State.Free();
	}

	String configName() {
		return "retwis-embedded-" + this.port + ".conf";
	}

	Path directory(Path data) {
		return data.resolve(this.role + "-" + this.port);
	}

	Path log(Path data) {
		return directory(data).resolve("redis.log");
	}

	/**
	 * The text of the config file. Its paths are relative to the node's own directory,
	 * where the node is started. So the data directory may have any name and may be
	 * moved. A lock node syncs every write, because a lock that a crash forgets may be
	 * granted twice.
	 */
	String config() {
		return """
				# Written at each start; its name marks this server as an embedded node.
				bind 127.0.0.1
				port %d
				daemonize yes
				logfile redis.log
				pidfile redis.pid
				save ""
				appendonly yes
				appendfsync %s
				maxmemory-policy noeviction
				""".formatted(this.port, this.role.equals("lock") ? "always" : "everysec");
	}

	/**
	 * Whether its data was last written by a Redis of 7 or newer.
	 */
	boolean hasAppendOnlyParts(Path data) {
		return Files.isDirectory(directory(data).resolve("appendonlydir"));
	}

}
