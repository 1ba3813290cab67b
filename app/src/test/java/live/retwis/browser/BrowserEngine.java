package live.retwis.browser;

import java.net.URI;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A running browser. Tests share it, because starting it takes seconds. Each test gets
 * its own {@link Browser}.
 */
final class BrowserEngine implements AutoCloseable {

	private final BrowserProcess process;

	private final BidiConnection connection;

	private BrowserEngine(BrowserProcess process, BidiConnection connection) {
		this.process = process;
		this.connection = connection;
	}

	/**
	 * Opens the session that all other commands need. If this fails, the process is ended
	 * and the exception shows what it printed.
	 */
	static BrowserEngine connect(BrowserProcess process, Supplier<URI> address, Map<String, Object> capabilities) {
		try {
			BidiConnection connection = BidiConnection.to(address.get(), process.gone());
			connection.openSession(capabilities);
			process.noteChildren();
			return new BrowserEngine(process, connection);
		}
		catch (RuntimeException ex) {
			IllegalStateException failure = process.failure(ex);
			process.end(() -> false);
			throw failure;
		}
	}

	Browser newBrowser() {
		return new Browser(this.connection, this.process);
	}

	/**
	 * Whether the browser is still running, as far as this is known without a request.
	 */
	boolean isOpen() {
		return this.connection.isOpen();
	}

	@Override
	public void close() {
		this.process.end(() -> {
			try {
				this.connection.send("browser.close", Map.of());
				return true;
			}
			catch (IllegalStateException | BidiException ex) {
				return false;
			}
		});
		this.connection.close();
	}

}
