package live.retwis.locks.nodes;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;

/**
 * Says that this JVM uses the nodes of a data directory. It holds a shared lock on a file
 * there. The operating system releases that lock when the JVM ends, in whatever way. A
 * process that can lock the file exclusively is the only user. All methods must be called
 * while {@link StartMutex} is held.
 */
final class DataDirectorySharedLock {

	/**
	 * One object for each file. Closing a second channel of a file would release the
	 * lock.
	 */
	private static final Map<Path, DataDirectorySharedLock> HERE = new HashMap<>();

	private final Path file;

	private final FileChannel channel;

	private final FileLock shared;

	private int instances = 1;

	private DataDirectorySharedLock(Path file, FileChannel channel, FileLock shared) {
		this.file = file;
		this.channel = channel;
		this.shared = shared;
	}

	/**
	 * Begins to use the nodes.
	 * @param data their data directory, which exists; a real path
	 * @param base their first port
	 * @return the use, to be ended by {@link #leave()}
	 */
	static DataDirectorySharedLock enter(Path data, int base) {
		Path file = data.resolve("users-" + base + ".lock");
		synchronized (HERE) {
			DataDirectorySharedLock use = HERE.get(file);
			if (use == null) {
				use = lock(file);
				HERE.put(file, use);
			}
			else {
				use.instances++;
			}
			return use;
		}
	}

	private static DataDirectorySharedLock lock(Path file) {
		try {
			FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
					StandardOpenOption.WRITE);
			FileLock shared = channel.tryLock(0, Long.MAX_VALUE, true);
			if (shared == null) {
				channel.close();
				throw new RedisStartException(file + " is locked by another program");
			}
			return new DataDirectorySharedLock(file, channel, shared);
		}
		catch (IOException ex) {
			throw new RedisStartException(
					"Cannot lock " + file + " (do the Redis nodes on these ports belong to another user?): " + ex, ex);
		}
	}

	/**
	 * Ends one use.
	 * @return whether nobody uses the nodes any more, in this JVM or another
	 */
	boolean leave() {
		synchronized (HERE) {
			if (--this.instances > 0) {
				return false;
			}
			HERE.remove(this.file);
		}
		try (this.channel) {
			this.shared.release();
			return this.channel.tryLock() != null;
		}
		catch (IOException ex) {
			throw new RedisStartException("Cannot tell who else uses " + this.file + ": " + ex, ex);
		}
	}

}
