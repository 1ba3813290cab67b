package live.retwis.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Is told of each command that is sent to the data node on behalf of one request, and of
 * each lock that the request holds. It is called on event loops, also by several at the
 * same time, and must not block.
 */
public interface CommandRecorder {

	/**
	 * A command is being sent.
	 * @param name name of the command, in upper case
	 * @param arguments its arguments in their order, at most {@link CommandTracing#MOST}
	 * of them and at most 2 kB of each
	 * @param left number of further arguments
	 * @param node host and port of the node
	 * @param answered tells from then on whether the answer has come. It knows before
	 * {@link Answer} is told, because whoever waits for the answer goes on first, and may
	 * send the next command
	 * @return is told of the answer
	 */
	Answer sent(String name, List<String> arguments, int left, String node, BooleanSupplier answered);

	/**
	 * A lock is held.
	 * @param resource what is locked
	 * @param nodes what each lock node answered, by its name
	 * @param waited time from the first question until the lock was held
	 * @param left time until its lease is over
	 */
	void locked(String resource, Map<String, String> nodes, Duration waited, Duration left);

	/**
	 * A lock could not be had.
	 * @param resource what was to be locked
	 * @param taken whether somebody else has it; otherwise too few lock nodes answered
	 * @param waited time from the first question until the refusal
	 */
	void refused(String resource, boolean taken, Duration waited);

	/** Is told of the answer to one command. */
	@FunctionalInterface
	interface Answer {

		/**
		 * The answer has come, or the client has given the command up.
		 * @param when when it came, in ns of {@link System#nanoTime()}
		 * @param elements number of elements of the answer, 0 for nil, -1 when that is
		 * not known
		 * @param bytes size of the texts in the answer, roughly; -1 when that is not
		 * known
		 * @param failed whether Redis or the client answered with an error
		 */
		void arrived(long when, int elements, long bytes, boolean failed);

	}

}
