package live.retwis.ops;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;

/** What {@code docker-compose.yml} says, without a Docker engine. */
@Timeout(60)
class ComposeFileTests {

	@TempDir
	private Path directory;

	private static Object part(Object of, String name) {
		return Objects.requireNonNull(((Map<?, ?>) of).get(name), name);
	}

	/** Runs the entry point of Grafana with a program in the place of Grafana. */
	private Docker.Said startGrafana(String password) throws IOException {
		Object file = new Yaml().load(Files.readString(Path.of("..", "docker-compose.yml")));
		List<?> entrypoint = (List<?>) part(part(part(file, "services"), "grafana"), "entrypoint");
		Path grafana = Files.writeString(this.directory.resolve("run.sh"), "echo started");
		return Docker.run(this.directory, Map.of("GF_SECURITY_ADMIN_PASSWORD", password),
				entrypoint.stream()
					.map((part) -> part.toString().replace("$$", "$").replace("exec /run.sh", "exec sh " + grafana))
					.toList());
	}

	@Test
	void grafanaDoesNotStartWithoutAPasswordBecauseItWouldTakeAdminAndAdmin() throws IOException {
		Docker.Said without = startGrafana("");
		assertThat(without.exit()).isOne();
		assertThat(without.output()).contains("GRAFANA_PASSWORD").doesNotContain("started");
		assertThat(startGrafana("chosen").successful()).isEqualTo("started");
	}

}
