package live.retwis.locks.lab.steps;

import java.util.List;

/**
 * One try for the lock, step by step. Times are nanoseconds since the round began; -1
 * stands for what did not happen.
 *
 * @param client who tries
 * @param from when the client began, which is when step 1 reads the clock
 * @param until when it had its answer
 * @param outcome {@code acquired}, {@code taken}, {@code none}, {@code error}, or empty
 * while there is no answer
 * @param timed whether the engine reads the clock and subtracts what the acquisition took
 * (steps 1 and 4)
 * @param asked step 2: each node of the lab
 * @param needed step 3: how many nodes must say yes
 * @param majority when that many had said yes; where the engine heeds the second answers,
 * these count
 * @param heedsSecond whether the engine takes back a yes when the node, asked again, says
 * no
 * @param lease the lease that was asked for
 * @param drift what is subtracted for clocks that differ: 1 % of the lease and 2 ms,
 * unless a design has another rule
 * @param validity step 4: for how long the lock may be relied on after the answer; where
 * the engine does not compute it, what it would be, which may be negative
 * @param reliesUntil until when the client relies on the lock, if it got it: for a whole
 * lease where the engine does not say
 * @param released step 5: each node that was told to give the key back
 */
public record AcquisitionTrace(String client, long from, long until, String outcome, boolean timed,
		List<Exchange> asked, int needed, long majority, boolean heedsSecond, long lease, long drift, long validity,
		long reliesUntil, List<Exchange> released) {

	public AcquisitionTrace {
		asked = List.copyOf(asked);
		released = List.copyOf(released);
	}

	/** How many nodes said yes when they were asked for their key. */
	public long votes() {
		return this.asked.stream().filter((node) -> node.saysFirst().equals("yes")).count();
	}

	/** How long the acquisition took, as the engine counts it or as it was seen. */
	public long elapsed() {
		return this.lease - this.drift - this.validity;
	}

	/**
	 * What a client asked one node.
	 *
	 * @param node the number of the node
	 * @param says what came of it: {@code no} if any answer was no, else as the last
	 * question was answered; {@code unasked} without a question; {@code gone} where a key
	 * was to be given back that the node no longer had; {@code other} where the node
	 * deleted the key of another client
	 * @param questions what was sent, in order: for the key, and from some engines once
	 * more for a full lease
	 */
	public record Exchange(int node, String says, List<Question> questions) {

		public Exchange {
			questions = List.copyOf(questions);
		}

		/** What the node said when it was asked for its key. */
		String saysFirst() {
			return this.questions.isEmpty() ? this.says : this.questions.get(0).says();
		}

	}

	/**
	 * A command to a node.
	 *
	 * @param asked when it was sent
	 * @param answered when the client had the answer; -1 if it never came
	 * @param says {@code yes}, {@code no}, {@code error}, {@code silent} for no answer,
	 * {@code late} for one that came after the acquisition had ended, or {@code gone} and
	 * {@code other} as above
	 * @param command the command and its answer
	 */
	public record Question(long asked, long answered, String says, String command) {

	}

}
