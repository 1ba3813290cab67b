package live.retwis.locks.lab.fault;

import java.util.Map;

import live.retwis.locks.lab.client.ControlledClient;
import live.retwis.locks.lab.client.ProcessClientHandle;

/**
 * The process of a client stands still (SIGSTOP), as in a long pause of the garbage
 * collector or in a machine that is suspended.
 */
public final class PausedClient implements Fault {

	private final ControlledClient client;

	private final ProcessClientHandle process;

	public PausedClient(ControlledClient client) {
		this.client = client;
		this.process = client.process().orElseThrow();
	}

	@Override
	public String name() {
		return "stopped";
	}

	@Override
	public String subject() {
		return this.client.name();
	}

	@Override
	public Map<String, String> inject() {
		this.process.stop();
		return Map.of("state in /proc", this.process.state());
	}

	@Override
	public Map<String, String> undo() {
		String before = this.process.state();
		if (!before.equals("gone")) {
			this.process.resume();
		}
		return Map.of("state in /proc until now", before);
	}

}
