package live.retwis.learn;

import java.io.IOException;

import live.retwis.i18n.Message;
import live.retwis.learn.ExperimentContext.Client;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.redis.Keys;

/**
 * A timeline as a list: a page that moves, and a post that is there twice. The same as a
 * sorted set.
 */
final class ListExperiment implements Experiment {

	@Override
	public void play(ExperimentContext context) throws IOException {
		RedisProcess server = context.servers().start();
		Client a = context.a(server);
		Client b = context.b(server);
		a.does(Message.of("learn.lists.push"), "LPUSH", LIST, "post-1", "post-2", "post-3", "post-4");
		b.does(Message.of("learn.lists.first-page"), "LRANGE", LIST, "0", "1");
		a.does(Message.of("learn.lists.new"), "LPUSH", LIST, "post-5");
		b.does(Message.of("learn.lists.second-page"), "LRANGE", LIST, "2", "3");
		a.does(Message.of("learn.lists.repeat"), "LPUSH", LIST, "post-5");
		b.does(Message.of("learn.lists.twice"), "LRANGE", LIST, "0", "-1");
		String timeline = Keys.homeTimeline("user-1");
		a.does(Message.of("learn.lists.add"), "ZADD", timeline, "1001", "post-1", "1002", "post-2", "1003", "post-3",
				"1004", "post-4");
		b.does(Message.of("learn.lists.newest"), "ZREVRANGE", timeline, "0", "1", "WITHSCORES");
		a.does(Message.of("learn.lists.add-new"), "ZADD", timeline, "1005", "post-5");
		a.does(Message.of("learn.lists.add-again"), "ZADD", timeline, "1005", "post-5");
		b.does(Message.of("learn.lists.after-cursor"), "ZREVRANGEBYSCORE", timeline, "(1003", "-inf", "LIMIT", "0",
				"2");
	}

	/** The name in the tutorials. */
	private static final String LIST = "posts:1";

}
