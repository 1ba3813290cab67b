package live.retwis.locks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.testing.TestPorts;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * Real nodes for tests, numbered from 1, and the locks that were opened over them.
 */
final class TestNodes implements AutoCloseable {

	static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

	/**
	 * On a busy machine a healthy node may need 100 ms. This time-out is so long that
	 * such a node does not count as failed.
	 */
	static final Duration NODE_TIMEOUT = Duration.ofSeconds(2);

	private final List<RedisProcess> processes;

	private final Set<Integer> paused = new HashSet<>();

	private final Set<Integer> killed = new HashSet<>();

	private final List<RedLock> opened = new ArrayList<>();

	private TestNodes(List<RedisProcess> processes) {
		this.processes = processes;
	}

	static TestNodes start(int count, String... directives) {
		return new TestNodes(IntStream.range(0, count)
			.parallel()
			.mapToObj((index) -> RedisProcess
				.start(RedisProcessOptions.DEFAULT.withPort(TestPorts.next()).with(directives)))
			.toList());
	}

	void kill(int... numbers) {
		for (int number : numbers) {
			node(number).kill();
			this.killed.add(number);
			this.paused.remove(number);
		}
	}

	void restart(int number) {
		node(number).restart();
		this.killed.remove(number);
	}

	/** Pauses nodes: connections stay open, but nothing answers. */
	void pause(int... numbers) {
		for (int number : numbers) {
			node(number).pause();
			this.paused.add(number);
		}
	}

	void resume(int number) {
		node(number).resume();
		this.paused.remove(number);
	}

	RedisProcess node(int number) {
		return this.processes.get(number - 1);
	}

	int size() {
		return this.processes.size();
	}

	List<String> uris() {
		return this.processes.stream().map(RedisProcess::uri).toList();
	}

	String name(int number) {
		return "127.0.0.1:" + node(number).port();
	}

	LockSettings settings(Engine engine) {
		return new LockSettings(uris(), NODE_TIMEOUT, engine);
	}

	/** Opens locks over all nodes, and waits until each node is up. */
	RedLock open(Engine engine) {
		return open(engine, FenceRegister.NONE, LockListener.NONE);
	}

	RedLock open(Engine engine, FenceRegister fence, LockListener listener) {
		return awaitAllUp(open(settings(engine), fence, listener, TimeSource.SYSTEM));
	}

	/** Opens locks over nodes that need not be up. They are closed with the nodes. */
	RedLock open(LockSettings settings, FenceRegister fence, LockListener listener, TimeSource time) {
		RedLock locks = MajorityRedLock.open(settings, fence, listener, time);
		this.opened.add(locks);
		return locks;
	}

	static RedLock awaitAllUp(RedLock locks) {
		await().until(() -> locks.nodes().stream().allMatch(NodeState::isUp));
		return locks;
	}

	static ConditionFactory await() {
		return Awaitility.await().atMost(LONGEST_WAIT).pollInterval(Duration.ofMillis(5));
	}

	/** The reply to an inline command, as it was received. */
	String ask(int number, String command) {
		return InlineCommand.ask(node(number).port(), command);
	}

	/** The owner of the key on each node that answers; empty for none. */
	List<String> owners(String resource) {
		return IntStream.rangeClosed(1, size()).mapToObj((number) -> owner(number, resource)).toList();
	}

	String owner(int number, String resource) {
		String[] reply = ask(number, "HKEYS lock:" + resource).split("\r\n");
		return (reply.length > 2) ? reply[2] : "";
	}

	long millisToLive(int number, String resource) {
		return Long.parseLong(ask(number, "PTTL lock:" + resource).split("\r\n")[0].substring(1));
	}

	/** Whether no node has an owner of the key. */
	boolean areFree(String resource) {
		return owners(resource).stream().allMatch(String::isEmpty);
	}

	/** Closes the locks, lets all nodes run and empties them. */
	void heal() {
		List.copyOf(this.paused).forEach(this::resume);
		closeLocks();
		List.copyOf(this.killed).forEach(this::restart);
		IntStream.rangeClosed(1, size()).forEach((number) -> ask(number, "FLUSHALL"));
	}

	private void closeLocks() {
		this.opened.forEach((locks) -> locks.close().block(LONGEST_WAIT));
		this.opened.clear();
	}

	@Override
	public void close() {
		closeLocks();
		this.processes.forEach(RedisProcess::close);
	}

}
