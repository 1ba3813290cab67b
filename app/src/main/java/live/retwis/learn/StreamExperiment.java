package live.retwis.learn;

import java.io.IOException;

import live.retwis.i18n.Message;
import live.retwis.learn.ExperimentContext.Client;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.redis.Keys;

/**
 * A message that nobody hears, an entry that waits, and a worker that dies.
 */
final class StreamExperiment implements Experiment {

	@Override
	public void play(ExperimentContext context) throws IOException {
		RedisProcess server = context.servers().start();
		Client a = context.a(server);
		Client b = context.b(server);
		b.does(Message.of("learn.streams.subscribe"), "SUBSCRIBE", Keys.BUS);
		String first = a.does(Message.of("learn.streams.append"), "XADD", Keys.LOG, "*", "type", "post", "id", "post-1")
			.value();
		a.does(Message.of("learn.streams.publish"), "PUBLISH", Keys.BUS, "post-1");
		b.hears(Message.of("learn.streams.message"), Message.of("learn.streams.heard"));
		b.does(Message.of("learn.streams.leave"), "UNSUBSCRIBE", Keys.BUS);
		a.does(Message.of("learn.streams.append-more"), "XADD", Keys.LOG, "*", "type", "post", "id", "post-2");
		a.does(Message.of("learn.streams.unheard"), "PUBLISH", Keys.BUS, "post-2");
		b.does(Message.of("learn.streams.missed"), "XRANGE", Keys.LOG, "(" + first, "+");
		a.does(Message.of("learn.streams.group"), "XGROUP", "CREATE", Keys.LOG, "fanout", "0");
		b.does(Message.of("learn.streams.take"), "XREADGROUP", "GROUP", "fanout", "worker-b", "COUNT", "1", "STREAMS",
				Keys.LOG, ">");
		a.does(Message.of("learn.streams.pending"), "XPENDING", Keys.LOG, "fanout");
		a.does(Message.of("learn.streams.claim"), "XCLAIM", Keys.LOG, "fanout", "worker-a", "0", first);
		a.does(Message.of("learn.streams.done"), "XACK", Keys.LOG, "fanout", first);
	}

}
