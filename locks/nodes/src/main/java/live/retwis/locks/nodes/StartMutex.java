package live.retwis.locks.nodes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * Held while nodes are started or stopped, by one instance of this user at a time. Its
 * file is not in the nodes' data directory, because two instances that start in different
 * directories want the same ports. The operating system releases it when its holder ends.
 */
final class StartMutex implements AutoCloseable {

	/**
	 * Lets the threads of one JVM exclude each other. The file lock cannot do that: it
	 * belongs to the whole process, and closing any channel of the file would release it.
	 */
	private static final ReentrantLock HERE = new ReentrantLock();

	private final FileChannel channel;

	private StartMutex(FileChannel channel) {
		this.channel = channel;
	}

	/**
	 * Waits for the mutex. It has two parts, and each is waited for until the bound at
	 * most.
	 * @param directory where its file is
	 * @param base the first port of the nodes
	 * @param bound the longest wait
	 * @return the mutex, to be closed by the same thread
	 * @throws RedisStartException when another instance holds it for longer
	 */
	static StartMutex take(Path directory, int base, Duration bound) {
		Path file = directory.resolve("nodes-" + base + ".lock");
		boolean mine = false;
		try {
			if (!HERE.tryLock(bound.toNanos(), TimeUnit.NANOSECONDS)) {
				throw busy(file, bound);
			}
			FileChannel channel = open(file, bound);
			mine = true;
			return new StartMutex(channel);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RedisStartException("Interrupted while waiting for " + file, ex);
		}
		catch (IOException ex) {
			throw new RedisStartException("Cannot lock " + file + ": " + ex, ex);
		}
		finally {
			if (!mine && HERE.isHeldByCurrentThread()) {
				HERE.unlock();
			}
		}
	}

	private static FileChannel open(Path file, Duration bound) throws IOException {
		FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
		try {
			if (Poll.until(bound, () -> tryLock(channel) != null)) {
				channel.truncate(0);
				String holder = "process " + ProcessHandle.current().pid();
				channel.write(ByteBuffer.wrap(holder.getBytes(StandardCharsets.UTF_8)), 0);
				return channel;
			}
			throw busy(file, bound);
		}
		catch (IOException | RuntimeException ex) {
			channel.close();
			throw ex;
		}
	}

	private static @Nullable FileLock tryLock(FileChannel channel) {
		try {
			return channel.tryLock();
		}
		catch (IOException ex) {
			throw new RedisStartException("The file system does not lock files: " + ex, ex);
		}
	}

	private static RedisStartException busy(Path file, Duration bound) throws IOException {
		return new RedisStartException("Another instance has been starting or stopping the Redis nodes for "
				+ bound.toSeconds() + " s: " + Files.readString(file) + " holds " + file);
	}

	@Override
	public void close() {
		try {
			this.channel.close();
		}
		catch (IOException ex) {
			throw new RedisStartException("Cannot unlock the start of the Redis nodes: " + ex, ex);
		}
		finally {
			HERE.unlock();
		}
	}

}
