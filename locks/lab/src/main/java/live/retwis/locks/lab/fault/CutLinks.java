package live.retwis.locks.lab.fault;

import java.util.List;
import java.util.Map;

import live.retwis.locks.lab.client.LabClient;
import live.retwis.locks.lab.proxy.ProxyLink;

/**
 * A client is cut off from some nodes. Its connections break, and each new one breaks at
 * once.
 */
public final class CutLinks implements Fault {

	private final LabClient client;

	private final List<Integer> nodes;

	public CutLinks(LabClient client, Integer... nodes) {
		this.client = client;
		this.nodes = List.of(nodes);
	}

	@Override
	public String name() {
		return "cut off";
	}

	@Override
	public String subject() {
		return this.client.name() + " from node "
				+ String.join(", ", this.nodes.stream().map(String::valueOf).toList());
	}

	@Override
	public Map<String, String> inject() {
		String before = String.valueOf(connections());
		links().forEach(ProxyLink::cut);
		return Map.of("connections before", before);
	}

	/** Whether nothing gets through any more. */
	public boolean isComplete() {
		return connections() == 0;
	}

	private List<ProxyLink> links() {
		return this.nodes.stream().map(this.client::link).toList();
	}

	private int connections() {
		return links().stream().mapToInt(ProxyLink::connections).sum();
	}

	@Override
	public Map<String, String> undo() {
		String during = String.valueOf(connections());
		links().forEach(ProxyLink::join);
		return Map.of("connections while cut", during);
	}

}
