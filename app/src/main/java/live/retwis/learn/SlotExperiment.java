package live.retwis.learn;

import java.io.IOException;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import live.retwis.i18n.Message;
import live.retwis.learn.ExperimentContext.Client;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.redis.Keys;

/**
 * In which slots the site's keys lie, and what two keys need to be in one command.
 */
final class SlotExperiment implements Experiment {

	private static final int SLOTS = 16_384;

	@Override
	public void play(ExperimentContext context) throws IOException {
		RedisProcess server = context.servers().start("cluster-enabled yes");
		Client a = context.a(server);
		Client b = context.b(server);
		a.quietly(allSlots());
		a.does(Message.of("learn.sharding.user"), "CLUSTER", "KEYSLOT", Keys.user("ann"));
		a.does(Message.of("learn.sharding.following"), "CLUSTER", "KEYSLOT", Keys.following("ann"));
		a.does(Message.of("learn.sharding.log"), "CLUSTER", "KEYSLOT", Keys.LOG);
		a.does(Message.of("learn.sharding.public"), "CLUSTER", "KEYSLOT", Keys.PUBLIC_TIMELINE);
		a.does(Message.of("learn.sharding.tag"), "CLUSTER", "KEYSLOT", "live");
		b.does(Message.of("learn.sharding.timeline-ann"), "CLUSTER", "KEYSLOT", Keys.homeTimeline("ann"));
		b.does(Message.of("learn.sharding.timeline-bob"), "CLUSTER", "KEYSLOT", Keys.homeTimeline("bob"));
		b.does(Message.of("learn.sharding.from-ann"), "CLUSTER", "KEYSLOT", Keys.homeCompleteFrom("ann"));
		a.await((reply) -> reply.text().contains("cluster_state:ok"), "CLUSTER", "INFO");
		a.does(Message.of("learn.sharding.refused"), "MGET", Keys.username("ann"), Keys.username("bob"));
		a.does(Message.of("learn.sharding.together"), "MGET", Keys.once("ann", "1"), Keys.once("bob", "1"));
	}

	/** Gives all slots to the only node, so that it takes commands. */
	private static String[] allSlots() {
		return Stream.concat(Stream.of("CLUSTER", "ADDSLOTS"), IntStream.range(0, SLOTS).mapToObj(Integer::toString))
			.toArray(String[]::new);
	}

}
