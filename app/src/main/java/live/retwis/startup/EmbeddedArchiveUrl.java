package live.retwis.startup;

import java.nio.file.Path;

/** The archive of a site with embedded Redis nodes: a file of H2. */
public final class EmbeddedArchiveUrl {

	private static final String BIND = "h2.bindAddress";

	private EmbeddedArchiveUrl() {
	}

	/**
	 * Makes H2 listen on the loopback interface alone. It reads this when it is loaded.
	 */
	public static void bindToLoopback() {
		System.setProperty(BIND, "127.0.0.1");
	}

	/**
	 * The address of the file {@code archive} in a directory. Several instances on this
	 * machine can open it: the first one serves it to the others, on the loopback
	 * interface. What is committed is in the file at once, so it is there also when the
	 * process is killed. Only a sync saves it from a power cut.
	 */
	public static String in(Path directory) {
		return "r2dbc:h2:file:///" + directory.toAbsolutePath().resolve("archive")
				+ "?options=AUTO_SERVER=TRUE;WRITE_DELAY=0";
	}

}
