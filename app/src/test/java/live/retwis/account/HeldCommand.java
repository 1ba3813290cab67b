package live.retwis.account;

import java.util.List;
import java.util.function.Predicate;

import live.retwis.locks.nodes.proxy.CommandFailpoint;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;

/**
 * A command at which an instance is stopped in the middle of an operation.
 *
 * @param server the server that receives the command
 * @param command recognises the command
 * @param nth which one of several equal commands
 * @param replied whether the server executes the command and only its reply is held
 */
record HeldCommand(Server server, Predicate<SentCommand> command, int nth, boolean replied) {

	private static final Predicate<SentCommand> TAKE = SentCommand.running("'exists'");

	/** A command to the data node. */
	static HeldCommand data(Predicate<SentCommand> command) {
		return new HeldCommand(Server.DATA, command, 1, false);
	}

	/** Taking the key, at so many lock nodes that no majority is left. */
	static HeldCommand taking(String key) {
		return locks(key, TAKE);
	}

	/**
	 * The confirmation by the lock nodes that took the key; only Redisson asks for it.
	 */
	static HeldCommand confirming(String key) {
		return locks(key, SentCommand.running("'pttl'").and(TAKE.negate()));
	}

	static HeldCommand releasing(String key) {
		return locks(key, SentCommand.running("'del'"));
	}

	private static HeldCommand locks(String key, Predicate<SentCommand> script) {
		return new HeldCommand(Server.LOCKS,
				SentCommand.named("EVAL", "EVALSHA").and(SentCommand.with("lock:" + key)).and(script), 1, false);
	}

	HeldCommand number(int number) {
		return new HeldCommand(this.server, this.command, number, this.replied);
	}

	HeldCommand reply() {
		return new HeldCommand(this.server, this.command, this.nth, true);
	}

	/** Sets up the interception at each of the servers. */
	List<Interception> at(List<FaultProxy> proxies) {
		return proxies.stream().map((proxy) -> hold(proxy.at(this.command).nth(this.nth))).toList();
	}

	private Interception hold(CommandFailpoint spot) {
		return this.replied ? spot.holdReply() : spot.holdCommand();
	}

	/** The server that receives the command. */
	enum Server {

		DATA, LOCKS

	}

}
