package live.retwis.locks.lab.client;

import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.engine.LockOpener;

/**
 * Which locks clients use, and how they come by them.
 *
 * @param engine what they are, or claim to be
 * @param opening opens them in this program
 * @param program opens them in another one: a main class that takes the arguments of
 * {@link ClientMain}
 * @param label how that program knows them
 */
public record ClientKind(LabEngine engine, LockOpener opening, Class<?> program, String label) {

	/** Those of an engine as it is. */
	public static ClientKind of(LabEngine engine) {
		return new ClientKind(engine, engine, ClientMain.class, engine.label());
	}

}
