package live.retwis.locks.lab.client;

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
public record ClientKind(LabEngine engine, LockOpener opening, Class<?> program, String label) {

	/** Clients that use an engine as it is. */
	public static ClientKind of(LabEngine engine) {
		return new ClientKind(engine, engine, ClientMain.class, engine.label());
	}

}
