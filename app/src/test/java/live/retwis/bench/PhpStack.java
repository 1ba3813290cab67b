package live.retwis.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import live.retwis.locks.nodes.testing.TestPorts;
import live.retwis.testing.ChildProcess;
import org.awaitility.Awaitility;

/**
 * The classic stack beside the site: nginx and PHP-FPM on one core, with a home page that
 * reads the same keys of the same Redis.
 */
final class PhpStack implements AutoCloseable {

	private static final int WORKERS = 4;

	private static final Path PAGE = Path.of("src", "test", "resources", "php", "home.php");

	private static final List<Path> FOLDERS = List.of(Path.of("/usr/sbin"), Path.of("/usr/bin"));

	private static final String NGINX = """
			daemon off;
			master_process off;
			pid nginx.pid;
			events { worker_connections 1024; }
			http {
				access_log off;
				client_body_temp_path body;
				proxy_temp_path proxy;
				fastcgi_temp_path fastcgi;
				uwsgi_temp_path uwsgi;
				scgi_temp_path scgi;
				server {
					listen 127.0.0.1:%2$d backlog=4096;
					keepalive_requests 10000000;
					location = /home {
						fastcgi_pass unix:%1$s;
						fastcgi_param SCRIPT_FILENAME %3$s;
						fastcgi_param REQUEST_METHOD GET;
						fastcgi_param REDIS_PORT %4$d;
						fastcgi_param TIMELINE "%5$s";
					}
				}
			}
			""";

	private static final String FPM = """
			[global]
			daemonize = no
			error_log = php.log
			[www]
			listen = php.sock
			listen.mode = 0666
			user = nobody
			group = nogroup
			pm = static
			pm.max_children = %d
			""";

	private final ChildProcess php;

	private final ChildProcess nginx;

	private final int port;

	private PhpStack(ChildProcess php, ChildProcess nginx, int port) {
		this.php = php;
		this.nginx = nginx;
		this.port = port;
	}

	/**
	 * Starts both.
	 * @param timeline key of the home timeline that the page shows
	 * @return empty when PHP-FPM is not installed (Debian, Ubuntu: apt-get install
	 * php-fpm php-redis nginx-light)
	 */
	static Optional<PhpStack> start(int core, Path directory, int redisPort, String timeline) throws IOException {
		Optional<Path> fpm = fpm();
		if (fpm.isEmpty()) {
			return Optional.empty();
		}
		// A name of a socket must be short.
		Path folder = Files.createTempDirectory("retwis-php-");
		Path page = Files.copy(PAGE, folder.resolve("home.php"));
		folder.toFile().setExecutable(true, false);
		folder.toFile().setReadable(true, false);
		int port = TestPorts.next();
		Files.writeString(folder.resolve("fpm.conf"),
				FPM.formatted(WORKERS).replace("php.sock", folder.resolve("php.sock").toString()));
		Files.writeString(folder.resolve("nginx.conf"),
				NGINX.formatted(folder.resolve("php.sock"), port, page, redisPort, timeline));
		ChildProcess php = PinnedProcess.start(core, directory.resolve("php.log"), List.of(fpm.get().toString(), "-p",
				folder.toString(), "-y", folder.resolve("fpm.conf").toString(), "-R"));
		Awaitility.await("PHP-FPM; see " + directory.resolve("php.log"))
			.atMost(Duration.ofSeconds(10))
			.until(() -> Files.exists(folder.resolve("php.sock")));
		ChildProcess nginx = PinnedProcess.start(core, directory.resolve("php-nginx.log"),
				List.of("nginx", "-p", folder.toString(), "-c", "nginx.conf", "-e", "error.log"));
		return Optional.of(new PhpStack(php, nginx, port));
	}

	private static Optional<Path> fpm() {
		return FOLDERS.stream()
			.flatMap((folder) -> Stream.of(Objects.requireNonNullElse(folder.toFile().listFiles(), new File[0])))
			.filter((file) -> file.getName().startsWith("php-fpm"))
			.map(File::toPath)
			.findFirst();
	}

	String url() {
		return "http://127.0.0.1:" + this.port + "/home";
	}

	/** All processes that answer. */
	List<Long> pids() {
		List<Long> pids = new ArrayList<>(List.of(this.php.pid(), this.nginx.pid()));
		ProcessHandle.of(this.php.pid())
			.stream()
			.flatMap(ProcessHandle::descendants)
			.map(ProcessHandle::pid)
			.forEach(pids::add);
		return pids;
	}

	@Override
	public void close() {
		this.nginx.close();
		ProcessHandle.of(this.php.pid())
			.stream()
			.flatMap(ProcessHandle::descendants)
			.forEach(ProcessHandle::destroyForcibly);
		this.php.close();
	}

}
