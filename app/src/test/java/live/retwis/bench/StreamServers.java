package live.retwis.bench;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.testing.TestPorts;
import live.retwis.testing.ChildProcess;
import live.retwis.testing.LockServers;
import org.awaitility.Awaitility;

/**
 * The stream servers of the comparison, all on one core: the site as it is, the site with
 * a write for each event, their Redis, and nginx with nchan.
 */
final class StreamServers implements AutoCloseable {

	private static final int CORE = 0;

	/**
	 * The memory makes collections rare. A collection takes longer than writing to
	 * thousands of streams.
	 */
	private static final List<String> JVM = List.of("-XX:+UseSerialGC", "-Xms1g", "-Xmn500m");

	private static final Duration START = Duration.ofSeconds(90);

	private static final List<Path> MODULES = List.of(Path.of("/usr/lib/nginx/modules/ngx_nchan_module.so"),
			Path.of("/usr/lib64/nginx/modules/ngx_nchan_module.so"));

	private static final String NCHAN = """
			load_module %s;
			daemon off;
			master_process off;
			worker_rlimit_nofile 30000;
			pid nginx.pid;
			events { worker_connections 25000; }
			http {
				access_log off;
				client_body_temp_path body;
				proxy_temp_path proxy;
				fastcgi_temp_path fastcgi;
				uwsgi_temp_path uwsgi;
				scgi_temp_path scgi;
				nchan_max_reserved_memory 512M;
				server {
					listen 127.0.0.1:%d backlog=4096;
					keepalive_requests 1000000;
					location = /pub {
						nchan_publisher;
						nchan_channel_id posts;
						nchan_message_buffer_length 100;
					}
					location = /sub {
						nchan_subscriber eventsource;
						nchan_channel_id posts;
						nchan_subscriber_first_message newest;
					}
				}
			}
			""";

	private final Path directory;

	/** Ends each part. */
	private final List<Runnable> ends = new ArrayList<>();

	private final RedisProcess redis;

	private final LockServers locks;

	StreamServers(Path directory) throws IOException {
		this.directory = directory;
		Files.createDirectories(directory);
		this.redis = RedisProcess.start(RedisProcessOptions.DEFAULT);
		this.ends.add(this.redis::close);
		this.locks = new LockServers(3);
		this.ends.add(this.locks::close);
		PinnedProcess.move(this.redis.pid(), CORE, directory.resolve("taskset.log"));
	}

	int redisPort() {
		return this.redis.port();
	}

	/** Starts an instance of this build. */
	StreamServer site(String name, String... settings) {
		return site(name, SiteJar.OF_THIS_BUILD, settings);
	}

	/** Starts an instance of a build. */
	StreamServer site(String name, Path jar, String... settings) {
		return site(name, jar, JVM, settings);
	}

	/** Starts an instance with options of the JVM. */
	StreamServer site(String name, Path jar, List<String> jvm, String... settings) {
		return site(name, jar, List.of(), jvm, settings);
	}

	/** Starts an instance of this build whose memory is limited. */
	StreamServer site(String name, ControlGroup memory, List<String> jvm) {
		return site(name, SiteJar.OF_THIS_BUILD, memory.launcher(), jvm);
	}

	private StreamServer site(String name, Path jar, List<String> launcher, List<String> jvm, String... settings) {
		int port = TestPorts.next();
		List<String> command = new ArrayList<>(jvm);
		command.addAll(
				List.of("-jar", jar.toString(), "--server.port=" + port, "--management.server.port=" + TestPorts.next(),
						"--retwis.embedded=false", "--spring.data.redis.port=" + this.redis.port(),
						"--retwis.limits.enabled=false", this.locks.setting()));
		command.addAll(List.of(settings));
		List<String> launched = new ArrayList<>(launcher);
		launched.addAll(ChildProcess.java(command));
		return start(name, port, launched);
	}

	/** Starts nginx with nchan. */
	StreamServer nchan() throws IOException {
		Path module = MODULES.stream()
			.filter(Files::exists)
			.findFirst()
			.orElseThrow(() -> new IllegalStateException(
					"The benchmark needs nginx with nchan (Debian, Ubuntu: apt-get install nginx-light libnginx-mod-nchan)."));
		int port = TestPorts.next();
		Path folder = Files.createTempDirectory("retwis-nchan-");
		Files.writeString(folder.resolve("nginx.conf"), NCHAN.formatted(module, port));
		return start("nchan", port, List.of("nginx", "-p", folder.toString(), "-c", "nginx.conf", "-e", "error.log"));
	}

	private StreamServer start(String name, int port, List<String> command) {
		ChildProcess process = PinnedProcess.start(CORE, this.directory.resolve(name.replace(' ', '-') + ".log"),
				command);
		this.ends.add(process::close);
		Awaitility.await(name + "; see the logs in " + this.directory.toAbsolutePath())
			.atMost(START)
			.pollInterval(Duration.ofMillis(200))
			.until(() -> answers(port));
		return new StreamServer(name, port, process);
	}

	private static boolean answers(int port) {
		try (Socket socket = new Socket("127.0.0.1", port)) {
			socket.setSoTimeout(2000);
			socket.getOutputStream()
				.write("GET /timeline HTTP/1.0\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
			return socket.getInputStream().read() != -1;
		}
		catch (IOException ex) {
			return false;
		}
	}

	@Override
	public void close() {
		for (int i = this.ends.size() - 1; i >= 0; i--) {
			this.ends.get(i).run();
		}
	}

	/**
	 * A server of the comparison.
	 *
	 * @param name name in the report
	 * @param port port that it listens on
	 * @param process its process
	 */
	record StreamServer(String name, int port, ChildProcess process) {

		long pid() {
			return this.process.pid();
		}

	}

}
