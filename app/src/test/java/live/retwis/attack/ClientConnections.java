package live.retwis.attack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The open connections of clients to an instance, as the kernel lists them. */
final class ClientConnections {

	/** Established, and closed by the client alone. */
	private static final Set<String> OPEN = Set.of("01", "08");

	private static final int LOCAL = 1;

	private static final int REMOTE = 2;

	private static final int STATE = 3;

	private ClientConnections() {
	}

	/** The clients' addresses, once for each connection. */
	static List<String> of(long pid, int port) {
		return Stream.of("tcp", "tcp6")
			.flatMap((protocol) -> lines(Path.of("/proc/" + pid + "/net/" + protocol)).stream())
			.map((line) -> line.strip().split("\\s+"))
			.filter((line) -> OPEN.contains(line[STATE]) && line[LOCAL].endsWith(":%04X".formatted(port)))
			.map((line) -> address(line[REMOTE].substring(0, line[REMOTE].indexOf(':'))))
			.toList();
	}

	private static List<String> lines(Path file) {
		try {
			return Files.readAllLines(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The kernel writes each four bytes of an address as a number of the machine. */
	private static String address(String hex) {
		ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
		ByteBuffer address = ByteBuffer.allocate(bytes.capacity()).order(ByteOrder.nativeOrder());
		while (bytes.hasRemaining()) {
			address.putInt(bytes.getInt());
		}
		try {
			return InetAddress.getByAddress(address.array()).getHostAddress();
		}
		catch (UnknownHostException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
