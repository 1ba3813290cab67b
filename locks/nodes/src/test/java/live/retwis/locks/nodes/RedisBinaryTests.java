package live.retwis.locks.nodes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

@Timeout(60)
class RedisBinaryTests {

	private static final String LOADER = "error while loading shared libraries: libssl.so.3: cannot open shared object file";

	private final Path directory;

	RedisBinaryTests(@TempDir Path directory) {
		this.directory = directory;
	}

	@Test
	void theBinaryOnThePathComesFirst() throws Exception {
		Path onPath = script("echo 'Redis server v=7.2.4 sha=00000000:0 malloc=libc bits=64 build=1'");
		RedisBinary binary = RedisBinary.find("/no/such/place:" + this.directory, () -> Path.of("/bundled"));
		assertThat(binary).isEqualTo(new RedisBinary(onPath, "7.2.4"));
	}

	@Test
	void theBinaryFromTheJarRunsWhenThePathHasNone() throws Exception {
		RedisBinary binary = RedisBinary.find("", () -> BundledRedis.extract(this.directory));
		assertThat(binary.path()).hasParent(this.directory);
		assertThat(binary.version()).startsWith("6.2.");
	}

	@Test
	void theBinaryFromTheJarRunsAnEmbeddedNode() throws Exception {
		RedisBinary binary = RedisBinary.find("", () -> BundledRedis.extract(this.directory));
		try (EmbeddedPorts ports = EmbeddedPorts.choose(); ServerIdentityProbe client = new ServerIdentityProbe()) {
			EmbeddedNodeSpec node = EmbeddedNodeSpec.from(ports.base).get(0);
			NodeDaemonLauncher launcher = new NodeDaemonLauncher(node, this.directory.toRealPath());
			launcher.launch(binary);
			launcher.awaitAnswer(client);
			assertThat(Ask.line(ports.base, "INFO server")).contains("redis_version:6.2.");
		}
	}

	@Test
	void anOlderServerDoesNotStartOnDataThatItCannotRead() throws Exception {
		EmbeddedNodeSpec node = new EmbeddedNodeSpec("data", 1);
		Files.createDirectories(node.directory(this.directory).resolve("appendonlydir"));
		RedisBinary old = new RedisBinary(Path.of("/usr/bin/redis-server"), "6.2.11");
		assertThatExceptionOfType(RedisStartException.class)
			.isThrownBy(() -> new NodeDaemonLauncher(node, this.directory).launch(old))
			.withMessageContaining("written by Redis 7 or newer");
	}

	@Test
	void anIncompleteBinaryIsExtractedAgain() throws Exception {
		Path binary = BundledRedis.extract(this.directory);
		long size = Files.size(binary);
		Files.writeString(binary, "broken");
		assertThat(BundledRedis.extract(this.directory)).isEqualTo(binary).isExecutable().hasSize(size);
		assertThat(this.directory).isDirectoryContaining(binary::equals);
		assertThat(this.directory.toFile().list()).hasSize(1);
	}

	@Test
	void whenNoBinaryRunsTheMessageHasTheErrorAndSaysWhatToDo() throws Exception {
		Path broken = script("echo '" + LOADER + "' >&2; exit 127");
		assertThatExceptionOfType(RedisStartException.class).isThrownBy(() -> RedisBinary.find("", () -> broken))
			.withMessageContaining("no redis-server")
			.withMessageContaining("exit 127")
			.withMessageContaining(LOADER)
			.withMessageContaining("apt-get install redis-server")
			.withMessageContaining("brew install redis")
			.withMessageContaining("Install redis-server 6.2 or newer");
	}

	@Test
	void aServerThatIsTooOldIsNotUsed() throws Exception {
		script("echo 'Redis server v=6.0.16 sha=00000000:0'");
		assertThatExceptionOfType(RedisStartException.class)
			.isThrownBy(() -> RedisBinary.find(this.directory.toString(), () -> Path.of("/no/such/file")))
			.withMessageContaining("is 6.0.16, too old");
	}

	@Test
	void everySupportedSystemHasABinaryInTheJarAndOnWindowsTheMessageSaysWhatToDo() throws Exception {
		for (String arch : new String[] { "amd64", "x86_64", "aarch64", "arm64" }) {
			for (String os : new String[] { "Linux", "Mac OS X" }) {
				assertThat(getClass().getClassLoader().getResource(BundledRedis.nameFor(os, arch))).isNotNull();
			}
		}
		assertThatIOException().isThrownBy(() -> BundledRedis.nameFor("Windows 11", "amd64"))
			.withMessageContaining("WSL 2");
	}

	@Test
	void aCacheThatOtherUsersCanWriteToIsRefused() throws Exception {
		Path open = Files.createDirectory(this.directory.resolve("cache"));
		Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
		assertThatExceptionOfType(RedisStartException.class).isThrownBy(() -> UserTempDirectory.directory(open))
			.withMessageContaining("remove it");
	}

	private Path script(String line) throws IOException {
		Path script = Files.writeString(this.directory.resolve("redis-server"), "#!/bin/sh\n" + line + "\n");
		return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
	}

}
