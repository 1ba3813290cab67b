package live.retwis.learn;

import java.io.IOException;

import live.retwis.i18n.Message;
import live.retwis.learn.ExperimentContext.Client;
import live.retwis.locks.nodes.RedisProcess;

/**
 * Two clients count one like each: with GET and SET, with MULTI, with WATCH, and with a
 * script.
 */
final class LostIncrementExperiment implements Experiment {

	/** The number of likes after both clients have counted one. */
	private static final String SCRIPT = "local n = tonumber(redis.call('GET', KEYS[1])) + 1 "
			+ "redis.call('SET', KEYS[1], n) return n";

	private static final String LIKES = "likes";

	@Override
	public void play(ExperimentContext context) throws IOException {
		RedisProcess server = context.servers().start();
		Client a = context.a(server);
		Client b = context.b(server);
		getAndSet(a, b);
		multi(a, b);
		watch(a, b);
		script(a, b);
	}

	private static void getAndSet(Client a, Client b) throws IOException {
		a.does(Message.of("learn.atomicity.ten"), "SET", LIKES, "10");
		long seenByA = a.does(Message.of("learn.atomicity.a-reads"), "GET", LIKES).number();
		long seenByB = b.does(Message.of("learn.atomicity.b-reads"), "GET", LIKES).number();
		a.does(Message.of("learn.atomicity.a-writes"), "SET", LIKES, text(seenByA + 1));
		b.does(Message.of("learn.atomicity.b-writes"), "SET", LIKES, text(seenByB + 1));
		a.does(Message.of("learn.atomicity.lost"), "GET", LIKES);
	}

	private static void multi(Client a, Client b) throws IOException {
		a.does(Message.of("learn.atomicity.reset"), "SET", LIKES, "10");
		a.does(Message.of("learn.atomicity.multi"), "MULTI");
		a.does(Message.of("learn.atomicity.queued"), "INCR", LIKES);
		b.does(Message.of("learn.atomicity.between"), "INCR", LIKES);
		a.does(Message.of("learn.atomicity.queued-read"), "GET", LIKES);
		a.does(Message.of("learn.atomicity.exec"), "EXEC");
	}

	private static void watch(Client a, Client b) throws IOException {
		a.does(Message.of("learn.atomicity.watch"), "WATCH", LIKES);
		long seen = a.does(Message.of("learn.atomicity.watch-reads"), "GET", LIKES).number();
		b.does(Message.of("learn.atomicity.interferes"), "INCR", LIKES);
		a.does(Message.of("learn.atomicity.watch-multi"), "MULTI");
		a.does(Message.of("learn.atomicity.watch-set"), "SET", LIKES, text(seen + 1));
		a.does(Message.of("learn.atomicity.refused"), "EXEC");
		a.does(Message.of("learn.atomicity.not-lost"), "GET", LIKES);
	}

	private static void script(Client a, Client b) throws IOException {
		a.does(Message.of("learn.atomicity.script"), "EVAL", SCRIPT, "1", LIKES);
		b.does(Message.of("learn.atomicity.script-b"), "EVAL", SCRIPT, "1", LIKES);
		a.does(Message.of("learn.atomicity.right"), "GET", LIKES);
	}

	private static String text(long number) {
		return Long.toString(number);
	}

}
