package live.retwis.learn;

import java.io.IOException;

import live.retwis.i18n.Message;
import live.retwis.learn.ExperimentContext.Client;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.redis.Keys;

/**
 * Whom one follows, as a set and as a sorted set. Who of them follows somebody.
 */
final class SortedSetExperiment implements Experiment {

	@Override
	public void play(ExperimentContext context) throws IOException {
		RedisProcess server = context.servers().start();
		Client a = context.a(server);
		Client b = context.b(server);
		a.does(Message.of("learn.sets.add"), "SADD", "following:old", "bob", "cho", "bob");
		a.does(Message.of("learn.sets.members"), "SMEMBERS", "following:old");
		String following = Keys.following("ann");
		String followers = Keys.followers("eve");
		a.does(Message.of("learn.sets.follow"), "ZADD", following, "1001", "bob", "1002", "cho", "1003", "dan");
		a.does(Message.of("learn.sets.repeat"), "ZADD", following, "NX", "1009", "bob");
		a.does(Message.of("learn.sets.page"), "ZREVRANGE", following, "0", "1", "WITHSCORES");
		b.does(Message.of("learn.sets.followers"), "ZADD", followers, "2001", "cho", "2002", "dan", "2003", "fay");
		a.does(Message.of("learn.sets.intersection"), "ZINTER", "2", following, followers);
		a.does(Message.of("learn.sets.since"), "ZSCORE", following, "cho");
		b.does(Message.of("learn.sets.cap"), "ZREMRANGEBYRANK", followers, "0", "-3");
		b.does(Message.of("learn.sets.left"), "ZRANGE", followers, "0", "-1");
	}

}
