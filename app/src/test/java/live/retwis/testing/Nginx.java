package live.retwis.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import live.retwis.locks.testing.TestPorts;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.springframework.util.FileSystemUtils;

/**
 * A real nginx before a server; it answers 502 while the server cannot be reached.
 */
public final class Nginx implements AutoCloseable {

	private static final Duration START = Duration.ofSeconds(10);

	private static final List<Path> PROGRAMS = List.of(Path.of("/usr/sbin/nginx"), Path.of("/usr/bin/nginx"),
			Path.of("/usr/local/bin/nginx"), Path.of("/opt/homebrew/bin/nginx"));

	private static final String CONFIGURATION = """
			daemon off;
			master_process off;
			pid nginx.pid;
			events { }
			http {
				access_log off;
				client_body_temp_path body;
				proxy_temp_path proxy;
				fastcgi_temp_path fastcgi;
				uwsgi_temp_path uwsgi;
				scgi_temp_path scgi;
				server {
					listen 127.0.0.1:%d;
					location / {
						proxy_pass http://127.0.0.1:%d;
						proxy_http_version 1.1;
						proxy_set_header Connection "";
						proxy_set_header Host $http_host;
					}
				}
			}
			""";

	private final Path folder;

	private final int port;

	private final ChildProcess process;

	private Nginx(Path folder, int port, ChildProcess process) {
		this.folder = folder;
		this.port = port;
		this.process = process;
	}

	/**
	 * Skips the test where there is none, unless all that tests may need has to be there.
	 */
	public static void assumeInstalled() {
		Assumptions.assumeTrue("required".equals(System.getProperty("retwis.browsers"))
				|| PROGRAMS.stream().anyMatch(Files::isExecutable), "there is no nginx");
	}

	/** Starts it before a server on this machine and waits until it answers. */
	public static Nginx before(int serverPort) {
		int port = TestPorts.next();
		return start(port, CONFIGURATION.formatted(port, serverPort));
	}

	/**
	 * Starts it and waits until it answers.
	 * @param port on which it listens
	 * @param configuration that says so, and where its files are: in its own directory
	 */
	public static Nginx start(int port, String configuration) {
		try {
			Path folder = Files.createTempDirectory("retwis-nginx-");
			Files.writeString(folder.resolve("nginx.conf"), configuration);
			Path program = PROGRAMS.stream().filter(Files::isExecutable).findFirst().orElseThrow();
			Nginx nginx = new Nginx(folder, port, ChildProcess.start(folder.resolve("output.txt"),
					List.of(program.toString(), "-p", folder.toString(), "-c", "nginx.conf", "-e", "error.log")));
			Awaitility.await("nginx in " + folder)
				.atMost(START)
				.ignoreExceptions()
				.until(() -> !RawHttp.get(port, "/").isEmpty());
			return nginx;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Address of a path. */
	public String url(String path) {
		return "http://127.0.0.1:" + this.port + path;
	}

	@Override
	public void close() {
		this.process.close();
		try {
			FileSystemUtils.deleteRecursively(this.folder);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
