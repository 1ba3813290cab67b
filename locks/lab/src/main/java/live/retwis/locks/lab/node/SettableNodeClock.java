package live.retwis.locks.lab.node;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * The wall clock of one node, which can be set while the node runs. Needs Linux and a C
 * compiler named {@code cc}.
 */
public final class SettableNodeClock {

	private static final long COMPILER_SECONDS = 30;

	private final Path library;

	private final Path setting;

	private SettableNodeClock(Path library, Path setting) {
		this.library = library;
		this.setting = setting;
	}

	/** Whether clocks can be set on this machine. */
	public static boolean isPossible() {
		try {
			Process compiler = new ProcessBuilder("cc", "--version").redirectErrorStream(true).start();
			compiler.getOutputStream().close();
			compiler.getInputStream().readAllBytes();
			return Files.isDirectory(Path.of("/proc/self")) && compiler.waitFor(COMPILER_SECONDS, TimeUnit.SECONDS)
					&& compiler.exitValue() == 0;
		}
		catch (IOException ex) {
			return false;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	/**
	 * Makes a clock that shows the right time.
	 * @param directory for its files
	 * @param number of the node
	 */
	public static SettableNodeClock create(Path directory, int number) {
		try {
			SettableNodeClock clock = new SettableNodeClock(library(directory), directory.resolve("clock-" + number));
			Files.write(clock.setting, bytes(0, 0).array());
			return clock;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No clock for node " + number, ex);
		}
	}

	private static Path library(Path directory) throws IOException {
		Path library = directory.resolve("clock.so");
		if (!Files.exists(library)) {
			compile(directory.resolve("clock.c"), library);
		}
		return library;
	}

	private static void compile(Path code, Path library) throws IOException {
		try (InputStream source = Objects.requireNonNull(SettableNodeClock.class.getResourceAsStream("clock.c"))) {
			Files.write(code, source.readAllBytes());
		}
		Process compiler = new ProcessBuilder("cc", "-O2", "-shared", "-fPIC", "-o", library.toString(),
				code.toString())
			.redirectErrorStream(true)
			.start();
		compiler.getOutputStream().close();
		String printed = new String(compiler.getInputStream().readAllBytes());
		try {
			if (!compiler.waitFor(COMPILER_SECONDS, TimeUnit.SECONDS) || compiler.exitValue() != 0) {
				compiler.destroyForcibly();
				throw new IOException("cc failed: " + printed);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException("Interrupted", ex);
		}
	}

	/** The environment that the server needs for this clock. */
	public Map<String, String> environment() {
		return Map.of("LD_PRELOAD", this.library.toString(), "LAB_CLOCK", this.setting.toString());
	}

	/**
	 * Sets the clock at once.
	 * @param offset by how much it is fast
	 * @param millionths by how many millionths it runs fast, counted from the start of
	 * the node
	 */
	public void set(Duration offset, long millionths) {
		try (FileChannel file = FileChannel.open(this.setting, StandardOpenOption.WRITE)) {
			file.write(bytes(offset.toNanos() / 1000, millionths), 0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The clock cannot be set", ex);
		}
	}

	private static ByteBuffer bytes(long offsetMicros, long millionths) {
		return ByteBuffer.allocate(16).order(ByteOrder.nativeOrder()).putLong(offsetMicros).putLong(millionths).flip();
	}

}
