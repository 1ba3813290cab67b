package live.retwis.locks.lab.client;

import java.time.Duration;

/**
 * One operation.
 *
 * @param operation its number in the history
 * @param order what to do
 * @param resource with which lock and counter
 * @param leaseMillis for how long to lock
 */
record Work(long operation, Order order, String resource, long leaseMillis) {

	Duration lease() {
		return Duration.ofMillis(this.leaseMillis);
	}

	/** As a line; {@link #parse} reads it. */
	String line() {
		return this.operation + " " + this.order + " " + this.resource + " " + this.leaseMillis;
	}

	static Work parse(String line) {
		String[] fields = line.split(" ");
		return new Work(Long.parseLong(fields[0]), Order.valueOf(fields[1]), fields[2], Long.parseLong(fields[3]));
	}

}
