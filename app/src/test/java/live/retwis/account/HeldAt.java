package live.retwis.account;

import java.util.List;
import java.util.function.Predicate;

import live.retwis.locks.testing.Command;
import live.retwis.locks.testing.FaultProxy;
import live.retwis.locks.testing.Interception;
import live.retwis.locks.testing.Spot;

/**
 * A command at which an instance is stopped on its way through an operation.
 *
 * @param server which way it goes
 * @param command which one
 * @param nth which of several alike
 * @param replied whether the server does it and its reply is held
 */
record HeldAt(Server server, Predicate<Command> command, int nth, boolean replied) {

	private static final Predicate<Command> TAKE = Command.containing("'exists'");

	/** To the data node. */
	static HeldAt data(Predicate<Command> command) {
		return new HeldAt(Server.DATA, command, 1, false);
	}

	/** Taking the key, at so many lock nodes that no majority is left. */
	static HeldAt taking(String key) {
		return locks(key, TAKE);
	}

	/** The vote of those who took it. */
	static HeldAt confirming(String key) {
		return locks(key, Command.containing("'pttl'").and(TAKE.negate()));
	}

	static HeldAt releasing(String key) {
		return locks(key, Command.containing("'del'"));
	}

	private static HeldAt locks(String key, Predicate<Command> script) {
		return new HeldAt(Server.LOCKS, Command.named("EVAL").and(Command.with("lock:" + key)).and(script), 1, false);
	}

	HeldAt number(int number) {
		return new HeldAt(this.server, this.command, number, this.replied);
	}

	HeldAt reply() {
		return new HeldAt(this.server, this.command, this.nth, true);
	}

	/** Lies in wait for it at each of these servers. */
	List<Interception> at(List<FaultProxy> proxies) {
		return proxies.stream().map((proxy) -> hold(proxy.at(this.command).nth(this.nth))).toList();
	}

	private Interception hold(Spot spot) {
		return this.replied ? spot.holdReply() : spot.holdCommand();
	}

	/** What a command is sent to. */
	enum Server {

		DATA, LOCKS

	}

}
