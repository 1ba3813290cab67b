package live.retwis.locks.lab.client;

import java.time.Duration;

/**
 * One operation that a client is to do.
 *
 * @param operation its number in the history
 * @param order what to do
 * @param resource with which lock and counter
 * @param leaseMillis how long to lock it
 */
record OperationRequest(long operation, Operation order, String resource, long leaseMillis) {

	Duration lease() {
		return Duration.ofMillis(this.leaseMillis);
	}

	/** The request in one line. {@link #parse} reads it. */
	String line() {
		return this.operation + " " + this.order + " " + this.resource + " " + this.leaseMillis;
	}

	static OperationRequest parse(String line) {
		String[] fields = line.split(" ");
		return new OperationRequest(Long.parseLong(fields[0]), Operation.valueOf(fields[1]), fields[2],
				Long.parseLong(fields[3]));
	}

}
