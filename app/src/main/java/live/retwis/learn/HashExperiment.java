package live.retwis.learn;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import live.retwis.i18n.Message;
import live.retwis.learn.ExperimentContext.Client;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.redis.Keys;

/**
 * A profile in a hash, and in a string for each field. A log-out everywhere.
 */
final class HashExperiment implements Experiment {

	private static final String[] FIELDS = { "username", "ann", "name", "Ann", "bio", "Likes trees.", "auth", "1",
			"state", "active" };

	@Override
	public void play(ExperimentContext context) throws IOException {
		RedisProcess server = context.servers().start();
		Client a = context.a(server);
		Client b = context.b(server);
		String user = Keys.user("user-1");
		List<String> write = new ArrayList<>(List.of("HSET", user));
		write.addAll(List.of(FIELDS));
		a.does(Message.of("learn.hashes.write"), write.toArray(String[]::new));
		b.does(Message.of("learn.hashes.read"), "HMGET", user, "username", "name");
		b.does(Message.of("learn.hashes.encoding"), "OBJECT", "ENCODING", user);
		b.does(Message.of("learn.hashes.size"), "MEMORY", "USAGE", user);
		List<String> old = new ArrayList<>(List.of("MSET"));
		for (int i = 0; i < FIELDS.length; i += 2) {
			old.addAll(List.of("uid:1:" + FIELDS[i], FIELDS[i + 1]));
		}
		a.does(Message.of("learn.hashes.strings"), old.toArray(String[]::new));
		b.does(Message.of("learn.hashes.strings-size"), "EVAL", SUM, "5", "uid:1:username", "uid:1:name", "uid:1:bio",
				"uid:1:auth", "uid:1:state");
		a.does(Message.of("learn.hashes.rotate"), "HINCRBY", user, "auth", "1");
		b.does(Message.of("learn.hashes.over"), "HGET", user, "auth");
	}

	/** Bytes of all keys together. */
	private static final String SUM = "local n = 0 for _, key in ipairs(KEYS) do "
			+ "n = n + redis.call('MEMORY', 'USAGE', key) end return n";

}
