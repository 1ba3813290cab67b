package live.retwis.learn;

import java.io.IOException;

import live.retwis.i18n.Message;
import live.retwis.learn.ExperimentContext.Client;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.redis.Keys;

/**
 * A post that is pushed to many, one that is pulled, a timeline with a cap, and one that
 * is made again.
 */
final class HomeTimelineExperiment implements Experiment {

	private static final int FOLLOWERS = 10_000;

	/** Writes a post into the timelines of as many followers. */
	private static final String PUSH = "for i = 1, tonumber(ARGV[1]) do "
			+ "redis.call('ZADD', 'timeline:' .. i, ARGV[2], ARGV[3]) end return tonumber(ARGV[1])";

	@Override
	public void play(ExperimentContext context) throws IOException {
		RedisProcess server = context.servers().start();
		Client a = context.a(server);
		Client b = context.b(server);
		String timeline = Keys.homeTimeline("ann");
		String pulled = Keys.pulledOf("star");
		a.does(Message.of("learn.timelines.push"), "EVAL", PUSH, "0", Integer.toString(FOLLOWERS), "1001", "post-1");
		a.does(Message.of("learn.timelines.memory"), "MEMORY", "USAGE", "timeline:1");
		a.does(Message.of("learn.timelines.pulled"), "ZADD", pulled, "1002", "post-2");
		a.does(Message.of("learn.timelines.own"), "ZADD", timeline, "1001", "post-1", "1003", "post-3", "1004",
				"post-4");
		b.does(Message.of("learn.timelines.read"), "ZREVRANGE", timeline, "0", "9", "WITHSCORES");
		b.does(Message.of("learn.timelines.read-pulled"), "ZREVRANGE", pulled, "0", "9", "WITHSCORES");
		a.does(Message.of("learn.timelines.trim"), "ZREMRANGEBYRANK", timeline, "0", "-3");
		a.does(Message.of("learn.timelines.add"), "ZADD", timeline, "1005", "post-5");
		b.does(Message.of("learn.timelines.cap"), "ZCARD", timeline);
		a.does(Message.of("learn.timelines.cold"), "DEL", timeline);
		a.does(Message.of("learn.timelines.sources"), "ZADD", Keys.postsOf("bob"), "1003", "post-3", "1005", "post-5");
		b.does(Message.of("learn.timelines.again"), "ZREVRANGE", Keys.postsOf("bob"), "0", "2", "WITHSCORES");
		b.does(Message.of("learn.timelines.rebuilt"), "ZADD", timeline, "1003", "post-3", "1005", "post-5");
	}

}
