package live.retwis.locks.lab.client;

import java.util.regex.Pattern;

import live.retwis.locks.lab.engine.FencingMode;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.engine.LockOpener;

/**
 * Which locks the clients use, and how they open them.
 *
 * @param engine the engine that the locks are, or claim to be
 * @param opening opens the locks in this program
 * @param program opens them in another process: a main class that takes the arguments of
 * {@link ClientMain}
 * @param label the name by which that program knows them
 */
public record ClientLockConfig(LabEngine engine, LockOpener opening, Class<?> program, String label) {

	/** Between the name of an engine and the one of a way of fencing. */
	private static final String SEPARATOR = "+";

	/** Clients that use an engine as it is. */
	public static ClientLockConfig of(LabEngine engine) {
		return of(engine, FencingMode.ENGINE);
	}

	/** Clients that use an engine, perhaps with another way of fencing. */
	public static ClientLockConfig of(LabEngine engine, FencingMode fencing) {
		return new ClientLockConfig(engine,
				(nodes, nodeTimeout, store) -> fencing.around(engine.open(nodes, nodeTimeout, store), store),
				ClientMain.class, engine.label() + SEPARATOR + fencing.label());
	}

	/** Reads the label of a kind that {@link #of(LabEngine, FencingMode)} made. */
	static ClientLockConfig parse(String label) {
		String[] names = label.split(Pattern.quote(SEPARATOR));
		return of(LabEngine.of(names[0]).orElseThrow(), FencingMode.of(names[1]).orElseThrow());
	}

}
