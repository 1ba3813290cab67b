package live.retwis.locks.lab.client;

import java.io.IOException;
import java.util.List;

import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.engine.Mutant;

/**
 * A client with broken locks, in its own process.
 */
public final class MutantMain {

	private MutantMain() {
	}

	/** Clients that use a mutant, in this process or in others. */
	public static ClientLockConfig kind(Mutant mutant, LabEngine engine) {
		return new ClientLockConfig(engine, mutant.opening(engine), MutantMain.class, mutant.label(engine));
	}

	/**
	 * Runs until the end of stdin.
	 * @param args like those of {@link ClientMain}, with the mutant instead of the engine
	 */
	public static void main(String[] args) throws IOException {
		ClientMain.run(List.of(args), Mutant.opening(args[1]), System.in, System.out);
		System.exit(0);
	}

}
