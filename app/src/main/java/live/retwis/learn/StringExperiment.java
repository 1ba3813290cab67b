package live.retwis.learn;

import java.io.IOException;

import live.retwis.i18n.Message;
import live.retwis.learn.ExperimentContext.Client;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.redis.Keys;

/**
 * Two visitors want the same username. A form is sent twice.
 */
final class StringExperiment implements Experiment {

	@Override
	public void play(ExperimentContext context) throws IOException {
		RedisProcess server = context.servers().start();
		Client a = context.a(server);
		Client b = context.b(server);
		String name = Keys.username("ann");
		a.does(Message.of("learn.strings.free"), "SET", name, "user-1", "NX");
		b.does(Message.of("learn.strings.taken"), "SET", name, "user-2", "NX");
		b.does(Message.of("learn.strings.whose"), "GET", name);
		String once = Keys.once("user-1", "form-7");
		a.does(Message.of("learn.strings.once"), "SET", once, "post-1", "NX", "EX", "3600");
		a.does(Message.of("learn.strings.again"), "SET", once, "post-2", "NX", "EX", "3600");
		a.does(Message.of("learn.strings.answer-step"), "GET", once);
		b.does(Message.of("learn.strings.ttl"), "TTL", once);
	}

}
