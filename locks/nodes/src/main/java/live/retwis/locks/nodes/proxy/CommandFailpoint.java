package live.retwis.locks.nodes.proxy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import live.retwis.locks.nodes.proxy.Interception.Effect;

/**
 * Commands at which a fault is to strike, from now on. A connection keeps its order: what
 * follows a held command or reply waits behind it, and what follows a lost one is lost
 * too, for the life of that connection.
 */
public final class CommandFailpoint {

	private final ActiveInterceptions interceptions;

	private final Predicate<SentCommand> commands;

	private final int nth;

	CommandFailpoint(ActiveInterceptions interceptions, Predicate<SentCommand> commands, int nth) {
		this.interceptions = interceptions;
		this.commands = commands;
		this.nth = nth;
	}

	/** Only the one with that number from now on, counted from 1 over all connections. */
	public CommandFailpoint nth(int number) {
		return new CommandFailpoint(this.interceptions, this.commands, number);
	}

	/** Counts the commands and does nothing to them. */
	public Interception watch() {
		return this.interceptions.add(where(ProxyDirection.TO_SERVER), Effect.PASS);
	}

	/** Has the command arrive that much later. */
	public Interception delayCommand(Duration time) {
		return this.interceptions.add(Interception.delaying(this.interceptions, where(ProxyDirection.TO_SERVER), time));
	}

	/** Holds the command before the server until it is undone. */
	public Interception holdCommand() {
		return this.interceptions.add(where(ProxyDirection.TO_SERVER), Effect.HOLD);
	}

	/** Lets the server do it and holds what it says about it until it is undone. */
	public Interception holdReply() {
		return this.interceptions.add(where(ProxyDirection.TO_CLIENT), Effect.HOLD);
	}

	/** The command never reaches the server; its connection stays open. */
	public Interception loseCommand() {
		return this.interceptions.add(where(ProxyDirection.TO_SERVER), Effect.LOSE);
	}

	/** Breaks the connection before the server has the command. */
	public Interception cutBefore() {
		return this.interceptions.add(where(ProxyDirection.TO_SERVER), Effect.CUT);
	}

	/** Breaks the connection when the server has done it, before its reply comes. */
	public Interception cutAfter() {
		return this.interceptions.add(where(ProxyDirection.TO_CLIENT), Effect.CUT);
	}

	/** Puts another reply in the place of the server's, both in RESP, such as -OOM. */
	public Interception rewriteReply(UnaryOperator<String> rewriting) {
		return this.interceptions.add(Interception.rewriting(this.interceptions, where(ProxyDirection.TO_CLIENT),
				(bytes) -> rewriting.apply(new String(bytes, StandardCharsets.ISO_8859_1))
					.getBytes(StandardCharsets.ISO_8859_1)));
	}

	private Predicate<ProxyFrame> where(ProxyDirection direction) {
		AtomicInteger matches = new AtomicInteger();
		return (frame) -> frame.direction() == direction && frame.command() != null
				&& this.commands.test(frame.command()) && (this.nth == 0 || matches.incrementAndGet() == this.nth);
	}

}
