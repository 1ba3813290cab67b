package live.retwis.redis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import reactor.core.publisher.Mono;

import org.springframework.data.redis.connection.ClusterSlotHashUtil;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.stereotype.Component;

/**
 * Runs one script for many keys. It has a connection of its own, so that no page waits
 * behind it. Sending a command takes the client more time than Redis needs for the work,
 * so each command gets many keys. On a cluster these must be in one slot.
 */
@Component
public class BulkScriptRunner extends MultiplexedConnection {

	/**
	 * Keys per call. A call with this many keys holds up other commands for less than 1
	 * ms.
	 */
	private static final int KEYS = 100;

	BulkScriptRunner(LettuceConnectionFactory factory) {
		super(factory);
	}

	/**
	 * Runs a script that does the same for each of its keys.
	 * @param keys one list for each key: the key, then further keys of the same slot that
	 * belong to it
	 * @return all answers, in no order; an error when one call fails, though others may
	 * have run
	 */
	public Mono<List<String>> run(LuaScript script, List<List<String>> keys, String... args) {
		return CommandRecorderContext.fromFuture(() -> {
			List<CompletableFuture<List<String>>> answers = calls(keys).stream()
				.map((call) -> node().run(script, call, args))
				.toList();
			return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
				.thenApply((all) -> answers.stream().flatMap((answer) -> answer.join().stream()).toList());
		});
	}

	private List<List<String>> calls(List<List<String>> keys) {
		Map<Integer, List<List<String>>> slots = new LinkedHashMap<>();
		keys.forEach((some) -> slots
			.computeIfAbsent(isCluster() ? ClusterSlotHashUtil.calculateSlot(some.get(0)) : 0,
					(slot) -> new ArrayList<>())
			.add(some));
		List<List<String>> calls = new ArrayList<>();
		slots.values().forEach((slot) -> {
			for (int i = 0; i < slot.size(); i += KEYS) {
				calls.add(slot.subList(i, Math.min(i + KEYS, slot.size())).stream().flatMap(List::stream).toList());
			}
		});
		return calls;
	}

	@Override
	public void start() {
		connectInBackground();
	}

}
