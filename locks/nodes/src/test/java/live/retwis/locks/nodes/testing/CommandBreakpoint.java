package live.retwis.locks.nodes.testing;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import live.retwis.locks.nodes.testing.Interception.Effect;

/**
 * Commands at which a fault is to strike, from now on. A connection keeps its order: what
 * follows a held command or reply waits behind it, and what follows a lost one is lost
 * too, for the life of that connection.
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

	/** Only the one with that number from now on, counted from 1 over all connections. */
	public CommandBreakpoint nth(int number) {
		return new CommandBreakpoint(this.obstacles, this.commands, number);
	}

	/** Counts the commands and does nothing to them. */
	public Interception watch() {
		return strike(ProxyDirection.TO_SERVER, Effect.WATCH);
	}

	/** Holds the command before the server until it is undone. */
	public Interception holdCommand() {
		return strike(ProxyDirection.TO_SERVER, Effect.HOLD);
	}

	/** Lets the server do it and holds what it says about it until it is undone. */
	public Interception holdReply() {
		return strike(ProxyDirection.TO_CLIENT, Effect.HOLD);
	}

	/** The command never reaches the server; its connection stays open. */
	public Interception loseCommand() {
		return strike(ProxyDirection.TO_SERVER, Effect.LOSE);
	}

	/** The server does it and its reply never comes; its connection stays open. */
	public Interception loseReply() {
		return strike(ProxyDirection.TO_CLIENT, Effect.LOSE);
	}

	/** Breaks the connection before the command reaches the server. */
	public Interception cutBefore() {
		return strike(ProxyDirection.TO_SERVER, Effect.CUT);
	}

	/** Breaks the connection when the server has done it, before its reply comes. */
	public Interception cutAfter() {
		return strike(ProxyDirection.TO_CLIENT, Effect.CUT);
	}

	/** Puts another reply in the place of the server's, both in RESP, such as -OOM. */
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
