package live.retwis.learn;

import java.io.IOException;

import live.retwis.i18n.Message;
import live.retwis.learn.ExperimentContext.Client;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.proxy.FaultProxy;

/**
 * What is left after a server was killed, with and without its file, and after a replica
 * took over.
 */
final class CrashExperiment implements Experiment {

	private static final String WRITE = "for i = 1, 1000 do redis.call('INCR', ARGV[1] .. i) end "
			+ "return redis.call('DBSIZE')";

	@Override
	public void play(ExperimentContext context) throws IOException {
		withFile(context);
		withoutFile(context);
		withReplica(context);
	}

	private static void withFile(ExperimentContext context) throws IOException {
		RedisProcess server = context.servers().start("appendonly yes", "appendfsync everysec");
		Client a = context.a(server);
		a.does(Message.of("learn.persistence.policy"), "CONFIG", "GET", "appendfsync");
		a.does(Message.of("learn.persistence.write"), "EVAL", WRITE, "0", "count:");
		context.happens(Message.of("learn.persistence.kill"), server::kill, Message.of("learn.persistence.kill-note"));
		context.happens(Message.of("learn.persistence.restart"), () -> context.servers().restart(server),
				Message.of("learn.persistence.restart-note"));
		context.a(server).does(Message.of("learn.persistence.left"), "DBSIZE");
	}

	private static void withoutFile(ExperimentContext context) throws IOException {
		RedisProcess server = context.servers().start();
		context.a(server).does(Message.of("learn.persistence.write-memory"), "EVAL", WRITE, "0", "count:");
		context.happens(Message.of("learn.persistence.kill-memory"), () -> {
			server.kill();
			context.servers().restart(server);
		}, Message.of("learn.persistence.kill-memory-note"));
		context.a(server).does(Message.of("learn.persistence.nothing"), "DBSIZE");
	}

	private static void withReplica(ExperimentContext context) throws IOException {
		RedisProcess master = context.servers().start("repl-diskless-sync yes", "repl-diskless-sync-delay 0");
		RedisProcess replica = context.servers().start();
		FaultProxy way = context.servers().wayTo(master);
		Client a = context.a(master);
		Client b = context.b(replica);
		b.does(Message.of("learn.persistence.replicate"), "REPLICAOF", "127.0.0.1", Integer.toString(way.port()));
		// The master counts the replica a moment after the replica says that it is up.
		b.await((reply) -> reply.text().contains("master_link_status:up"), "INFO", "replication");
		a.await((reply) -> reply.text().contains("state=online"), "INFO", "replication");
		a.does(Message.of("learn.persistence.first"), "SET", "post:1", "first");
		// Without a limit of its own: on a busy machine a replica may need more than a
		// second.
		a.does(Message.of("learn.persistence.confirmed"), "WAIT", "1", "0");
		context.happens(Message.of("learn.persistence.cut"), way::blackHole, Message.of("learn.persistence.cut-note"));
		a.does(Message.of("learn.persistence.second"), "SET", "post:2", "second");
		a.does(Message.of("learn.persistence.unconfirmed"), "WAIT", "1", "100");
		context.happens(Message.of("learn.persistence.master-dies"), master::kill,
				Message.of("learn.persistence.master-dies-note"));
		b.does(Message.of("learn.persistence.promote"), "REPLICAOF", "NO", "ONE");
		b.does(Message.of("learn.persistence.lost"), "MGET", "post:1", "post:2");
	}

}
