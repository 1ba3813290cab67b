package live.retwis.locks.lab.node;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The file {@code alive} in the directory of a lab. The lab's program holds a lock on it
 * until the lab ends. The system gives the lock back when the program dies. So other
 * programs know whether the lab lives, even if they do not see its process.
 */
final class LivenessLockFile {

	private static final String NAME = "alive";

	/**
	 * The locked files of this program, by directory. Opening and closing such a file
	 * again would give its lock back.
	 */
	private static final Map<Path, FileChannel> HELD = new ConcurrentHashMap<>();

	private LivenessLockFile() {
	}

	/** Makes the file and locks it. */
	static void hold(Path lab) throws IOException {
		FileChannel file = FileChannel.open(lab.resolve(NAME), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
		HELD.put(lab, file);
		file.lock();
	}

	/** Gives the lock back, if this program has it. */
	static void release(Path lab) throws IOException {
		FileChannel file = HELD.remove(lab);
		if (file != null) {
			file.close();
		}
	}

	/**
	 * Whether a program holds the lock, be it this one or another one. False when there
	 * is no such file, which labs of earlier releases lack.
	 */
	static boolean isHeld(Path lab) throws IOException {
		return HELD.containsKey(lab) || Files.exists(lab.resolve(NAME)) && !isFree(lab.resolve(NAME));
	}

	private static boolean isFree(Path alive) throws IOException {
		try (FileChannel file = FileChannel.open(alive, StandardOpenOption.WRITE); FileLock lock = file.tryLock()) {
			return lock != null;
		}
	}

}
