package live.retwis.locks.nodes.testing;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import live.retwis.locks.nodes.testing.Interception.Effect;

/**
 * The commands at which a fault occurs, from now on. A connection keeps its order:
 * everything after a held command or reply waits behind it. Everything after a lost
 * command or reply is lost too, until the connection ends.
 */
public final class CommandBreakpoint {

	private final Obstacles obstacles;

	private final Predicate<SentCommand> commands;

	private final int nth;

	CommandBreakpoint(Obstacles obstacles, Predicate<SentCommand> commands, int nth) {
		this.obstacles = obstacles;
		this.commands = commands;
		this.nth = nth;
	}

	/**
	 * Restricts the fault to the command with this number from now on, counted from 1
	 * over all connections.
	 */
	public CommandBreakpoint nth(int number) {
		return new CommandBreakpoint(this.obstacles, this.commands, number);
	}

	/** Counts the commands and does not change them. */
	public Interception watch() {
		return strike(ProxyDirection.TO_SERVER, Effect.WATCH);
	}

	/** Holds the command before it reaches the server, until the fault is closed. */
	public Interception holdCommand() {
		return strike(ProxyDirection.TO_SERVER, Effect.HOLD);
	}

	/**
	 * Lets the server execute the command and holds its reply, until the fault is closed.
	 */
	public Interception holdReply() {
		return strike(ProxyDirection.TO_CLIENT, Effect.HOLD);
	}

	/** Loses the command before it reaches the server. The connection stays open. */
	public Interception loseCommand() {
		return strike(ProxyDirection.TO_SERVER, Effect.LOSE);
	}

	/**
	 * Lets the server execute the command and loses its reply. The connection stays open.
	 */
	public Interception loseReply() {
		return strike(ProxyDirection.TO_CLIENT, Effect.LOSE);
	}

	/** Breaks the connection before the command reaches the server. */
	public Interception cutBefore() {
		return strike(ProxyDirection.TO_SERVER, Effect.CUT);
	}

	/**
	 * Breaks the connection after the server has executed the command, before its reply
	 * arrives.
	 */
	public Interception cutAfter() {
		return strike(ProxyDirection.TO_CLIENT, Effect.CUT);
	}

	/** Replaces the server's reply by another one. Both are in RESP, such as -OOM. */
	public Interception rewriteReply(UnaryOperator<String> rewriting) {
		return this.obstacles.add(new Interception(where(ProxyDirection.TO_CLIENT), Effect.REWRITE,
				(bytes) -> rewriting.apply(new String(bytes, StandardCharsets.ISO_8859_1))
					.getBytes(StandardCharsets.ISO_8859_1)));
	}

	private Interception strike(ProxyDirection direction, Effect effect) {
		return this.obstacles.add(new Interception(where(direction), effect));
	}

	private Predicate<RespFrame> where(ProxyDirection direction) {
		AtomicInteger matches = new AtomicInteger();
		return (frame) -> frame.direction() == direction && frame.command() != null
				&& this.commands.test(frame.command()) && (this.nth == 0 || matches.incrementAndGet() == this.nth);
	}

}
