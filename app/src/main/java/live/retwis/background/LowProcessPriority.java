package live.retwis.background;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the lab and experiments from slowing the pages down. Their processes share one
 * core, and get it when nothing else needs it. This takes {@code taskset} and
 * {@code renice}, as Linux has them; without them the processes run like any other.
 */
public final class LowProcessPriority {

	private static final Logger log = LoggerFactory.getLogger(LowProcessPriority.class);

	/**
	 * The first of the cores that the process may use, for all of its threads, then a low
	 * priority for each. A container may be without core 0.
	 */
	private static final String COMMAND = """
			core=$(sed -n 's/^Cpus_allowed_list:[^0-9]*\\([0-9]*\\).*/\\1/p' /proc/%1$d/status)
			taskset -acp "$core" %1$d; renice -n 10 -p $(ls /proc/%1$d/task)""";

	/** Linux knows the first 15 characters of a thread's name. */
	private static final String COMMAND_FOR_THREAD = """
			for task in /proc/%d/task/*; do [ "$(cat "$task/comm")" = '%.15s' ] && renice -n 10 -p "${task##*/}"; done""";

	private LowProcessPriority() {
	}

	/** Does not wait until it is done. Threads that start later inherit it. */
	public static void give(long pid) {
		run(COMMAND.formatted(pid));
	}

	/**
	 * Gives a low priority to threads of this process, which go on using all cores. Does
	 * not wait until it is done. The JVM itself cannot: it ignores priorities of threads.
	 * @param name their name
	 */
	public static void giveToThreads(String name) {
		run(COMMAND_FOR_THREAD.formatted(ProcessHandle.current().pid(), name));
	}

	private static void run(String command) {
		try {
			new ProcessBuilder("sh", "-c", command).redirectErrorStream(true).redirectOutput(Redirect.DISCARD).start();
		}
		catch (IOException ex) {
			log.debug("Not done: {}", command, ex);
		}
	}

}
