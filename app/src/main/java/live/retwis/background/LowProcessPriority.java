package live.retwis.background;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the processes of the lab and of experiments from slowing the pages down. They
 * share one core, and get it when nothing else needs it. This takes {@code taskset} and
 * {@code renice}, as Linux has them; without them the processes run like any other.
 */
public final class LowProcessPriority {

	private static final Logger log = LoggerFactory.getLogger(LowProcessPriority.class);

	/** The first core for all threads of the process, then a low priority for each. */
	private static final String COMMAND = "taskset -acp 0 %1$d; renice -n 10 -p $(ls /proc/%1$d/task)";

	private LowProcessPriority() {
	}

	/** Does not wait until it is done. Threads that start later inherit it. */
	public static void give(long pid) {
		try {
			new ProcessBuilder("sh", "-c", COMMAND.formatted(pid)).redirectErrorStream(true)
				.redirectOutput(Redirect.DISCARD)
				.start();
		}
		catch (IOException ex) {
			log.debug("Process {} keeps its priority", pid, ex);
		}
	}

}
