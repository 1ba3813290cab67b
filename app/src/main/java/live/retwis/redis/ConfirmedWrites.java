package live.retwis.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

import live.retwis.redis.CommandTracing.Traced;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * Writes that {@code retwis.redis.wait-replicas} replicas must confirm. WAIT covers the
 * connection. So these writes have a connection of their own. All writes that arrive
 * during one WAIT share the next WAIT.
 */
@Component
public class ConfirmedWrites extends MultiplexedConnection {

	private final ReactiveStringRedisTemplate redis;

	private final ReplicationProperties properties;

	/**
	 * One group for each node, by node id. The id is empty when there is only one node.
	 */
	private final ConcurrentMap<String, GroupCommit> groups = new ConcurrentHashMap<>();

	ConfirmedWrites(LettuceConnectionFactory factory, ReactiveStringRedisTemplate redis,
			ReplicationProperties properties) {
		super(factory);
		this.redis = redis;
		this.properties = properties;
	}

	/**
	 * Runs a script that writes.
	 * @param keys all in one slot
	 * @return the script's answer; {@link NotConfirmedException} when the write was made
	 * but not confirmed
	 */
	public Mono<List<String>> run(LuaScript script, List<String> keys, String... args) {
		if (this.properties.waitReplicas() == 0) {
			return script.run(this.redis, keys, args);
		}
		return confirmed(keys.get(0), (node) -> node.run(script, keys, args));
	}

	/**
	 * EXPIRE: keeps a key for so long from now. Then waits until the replicas have that,
	 * and with it all that the node has written before. WAIT alone is not enough: from
	 * Redis 7.2 on it covers only what this connection has written.
	 * @return done, also when there is no such key; {@link NotConfirmedException} when
	 * too few replicas have it
	 */
	public Mono<Void> confirm(String key, Duration kept) {
		return (this.properties.waitReplicas() == 0) ? Mono.empty()
				: confirmed(key, (node) -> node.expire(key, kept).thenApply((there) -> List.of())).then();
	}

	private Mono<List<String>> confirmed(String key, Function<Node, CompletionStage<List<String>>> command) {
		return CommandRecorderContext.fromFuture(() -> nodeOf(key))
			.flatMap((node) -> CommandRecorderContext.fromFuture(() -> write(node, command)));
	}

	/** A write may have to wait for others, and then another thread sends it. */
	private CompletableFuture<List<String>> write(Node node, Function<Node, CompletionStage<List<String>>> command) {
		Traced sender = CommandRecorderContext.current();
		return group(node.id()).write(() -> CommandRecorderContext.within(sender, () -> command.apply(node)),
				() -> CommandRecorderContext.within(sender,
						() -> node.confirmed(this.properties.waitReplicas(), this.properties.waitTimeout())));
	}

	private GroupCommit group(String node) {
		return this.groups.computeIfAbsent(node, (name) -> new GroupCommit(this.properties.waitReplicas()));
	}

	@Override
	public void start() {
		if (this.properties.waitReplicas() > 0) {
			connectInBackground();
		}
	}

}
