package live.retwis.learn;

import java.io.IOException;
import java.time.Duration;

import live.retwis.i18n.Message;
import live.retwis.learn.ExperimentContext.Client;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.redis.Keys;

/**
 * A key that ends by itself, an expiry that gets lost, and a cache that is told.
 */
final class ExpiryAndInvalidationExperiment implements Experiment {

	/** How long a key is let live, in ms, and how long is waited then. */
	private static final int LIFE = 300;

	@Override
	public void play(ExperimentContext context) throws IOException {
		RedisProcess server = context.servers().start();
		Client a = context.a(server);
		Client b = context.b(server);
		String limit = Keys.limit("posts", "user-1");
		a.does(Message.of("learn.expiry.set"), "SET", limit, "9", "PX", Integer.toString(LIFE));
		a.does(Message.of("learn.expiry.left"), "PTTL", limit);
		context.passes(Duration.ofMillis(LIFE + 50), Message.of("learn.expiry.wait", LIFE + 50),
				Message.of("learn.expiry.nobody"));
		a.does(Message.of("learn.expiry.gone"), "GET", limit);
		a.does(Message.of("learn.expiry.set-again"), "SET", limit, "9", "EX", "60");
		b.does(Message.of("learn.expiry.overwrite"), "SET", limit, "8");
		a.does(Message.of("learn.expiry.lost"), "TTL", limit);
		String user = Keys.user("ann");
		a.does(Message.of("learn.expiry.write"), "HSET", user, "name", "Ann");
		Client ear = context.b(server);
		ear.does(Message.of("learn.expiry.listen"), "SUBSCRIBE", Keys.BUS);
		b.does(Message.of("learn.expiry.cache"), "HGET", user, "name");
		a.does(Message.of("learn.expiry.change"), "HSET", user, "name", "Anna");
		a.does(Message.of("learn.expiry.tell"), "PUBLISH", Keys.BUS, "profile ann");
		ear.hears(Message.of("learn.expiry.message"), Message.of("learn.expiry.drop"));
		b.does(Message.of("learn.expiry.reread"), "HGET", user, "name");
	}

}
