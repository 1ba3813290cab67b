package live.retwis.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import live.retwis.locks.nodes.testing.TestPorts;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

import org.springframework.util.FileSystemUtils;

/**
 * A real nginx in front of a server. It answers 502 while the server cannot be reached.
 */
public final class Nginx implements AutoCloseable {

	private static final Duration START = Duration.ofSeconds(10);

	private static final List<Path> PROGRAMS = List.of(Path.of("/usr/sbin/nginx"), Path.of("/usr/bin/nginx"),
			Path.of("/usr/local/bin/nginx"), Path.of("/opt/homebrew/bin/nginx"));

	private static final String CONFIGURATION = """
			events { }
			http {
				access_log off;
				server {
					include listen.conf;
					location / {
						proxy_pass http://127.0.0.1:%d;
						proxy_http_version 1.1;
						proxy_set_header Connection "";
						proxy_set_header Host $http_host;
					}
				}
			}
			""";

	private static final String LISTEN = """
			listen %s;
			client_body_temp_path body;
			proxy_temp_path proxy;
			fastcgi_temp_path fastcgi;
			uwsgi_temp_path uwsgi;
			scgi_temp_path scgi;
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
	 * Skips the test if nginx is not installed, unless {@code -Dretwis.browsers=required}
	 * says that everything the tests need must be there.
	 */
	public static void assumeInstalled() {
		Assumptions.assumeTrue("required".equals(System.getProperty("retwis.browsers"))
				|| PROGRAMS.stream().anyMatch(Files::isExecutable), "there is no nginx");
	}

	/** Starts nginx in front of a server on this machine, and waits until it answers. */
	public static Nginx before(int serverPort) {
		int port = TestPorts.next();
		return start(port, Map.of("nginx.conf", CONFIGURATION.formatted(serverPort), "listen.conf", listen(port)));
	}

	/**
	 * Starts nginx with the configuration of {@code src/ops/nginx}, and waits until it
	 * answers. Only addresses and directives that need root are changed.
	 * @param one host and port of an instance
	 * @param other host and port of another one
	 */
	public static Nginx shipped(String one, String other) {
		return shipped(one, other, "127.0.0.1:%d");
	}

	/** The same, listening for both kinds of addresses on one socket. */
	public static Nginx shippedForIpv6(String one, String other) {
		return shipped(one, other, "[::]:%d ipv6only=off");
	}

	private static Nginx shipped(String one, String other, String listen) {
		Path ops = Path.of("src/ops/nginx");
		int port = TestPorts.next();
		try {
			return start(port,
					Map.of("nginx.conf",
							Files.readString(ops.resolve("nginx.conf"))
								.replace("worker_rlimit_nofile 40000;", "")
								.replace("worker_connections 10000;", "worker_connections 500;")
								.replace("/var/log/nginx/", "")
								.replace("root /etc/nginx/", "root "),
							"retwis/away.html", Files.readString(Path.of("target/away.html")), "retwis/listen.conf",
							LISTEN.formatted(listen.formatted(port)), "retwis/instances.conf",
							Files.readString(ops.resolve("retwis/instances.conf"))
								.replace("127.0.0.1:8081", one)
								.replace("127.0.0.1:8082", other)));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The directives for nginx's port, and for its temporary files, which it keeps in its
	 * own directory.
	 */
	private static String listen(int port) {
		return LISTEN.formatted("127.0.0.1:" + port);
	}

	/**
	 * Starts nginx and waits until it answers.
	 * @param port the port on which it listens
	 * @param files its configuration by file name: {@code nginx.conf} and the files that
	 * it includes
	 */
	public static Nginx start(int port, Map<String, String> files) {
		try {
			Path folder = Files.createTempDirectory("retwis-nginx-");
			for (Map.Entry<String, String> file : files.entrySet()) {
				Path path = folder.resolve(file.getKey());
				Files.createDirectories(path.getParent());
				Files.writeString(path, file.getValue());
			}
			Path program = PROGRAMS.stream().filter(Files::isExecutable).findFirst().orElseThrow();
			Nginx nginx = new Nginx(folder, port,
					ChildProcess.start(folder.resolve("output.txt"),
							List.of(program.toString(), "-p", folder.toString(), "-c", "nginx.conf", "-e", "error.log",
									"-g", "daemon off; master_process off; pid nginx.pid;")));
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

	/** The address of a path. */
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
