package live.retwis.locks.lab.fault;

import java.util.Map;

import live.retwis.locks.lab.client.ControlledClient;
import live.retwis.locks.lab.client.ProcessClientHandle;

/**
 * The process of a client is killed (SIGKILL). Another one may take its place.
 */
public final class KilledClient implements Fault {

	private final ControlledClient client;

	private final ProcessClientHandle process;

	public KilledClient(ControlledClient client) {
		this.client = client;
		this.process = client.process().orElseThrow();
	}

	@Override
	public String name() {
		return "killed";
	}

	@Override
	public String subject() {
		return this.client.name();
	}

	@Override
	public Map<String, String> inject() {
		this.process.kill();
		return Map.of("state", this.process.state());
	}

}
