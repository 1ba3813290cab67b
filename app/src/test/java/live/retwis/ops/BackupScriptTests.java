package live.retwis.ops;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code backup.sh} and {@code restore.sh} with a program in the place of Docker that
 * notes what it is asked. {@code ComposeDataChaos} runs them with real containers.
 */
@Timeout(60)
class BackupScriptTests {

	private static final String DOCKER = """
			case "$*" in
			"compose version") exit ;;
			"compose config --services") cat services; exit ;;
			"compose exec -T redis "*--rdb*) echo REDIS data ;;
			"compose exec -T archive "*pg_dump*) echo PGDMP data ;;
			esac
			echo "$1 $2 $3" >> asked
			""";

	@TempDir
	private Path directory;

	private Docker.Said run(String script, String... overrides) throws IOException {
		Set<String> services = services(Path.of("..", "docker-compose.yml"));
		for (String override : overrides) {
			services.addAll(services(Path.of("src", "ops", "compose", override)));
		}
		Files.write(this.directory.resolve("services"), services);
		return new StubbedPrograms(this.directory).with("docker", DOCKER).run(script, "retwis.rdb");
	}

	private static Set<String> services(Path configuration) throws IOException {
		Map<String, Map<String, Object>> all = new Yaml().load(Files.readString(configuration));
		return new TreeSet<>(Objects.requireNonNull(all.get("services")).keySet());
	}

	@Test
	void aBackupIsTakenAndRestored() throws IOException {
		run("backup.sh", "tls.yml").successful();
		assertThat(this.directory.resolve("retwis.rdb")).hasContent("REDIS data");
		assertThat(this.directory.resolve("retwis.rdb.archive")).hasContent("PGDMP data");
		run("restore.sh", "tls.yml").successful();
		assertThat(this.directory.resolve("asked")).content()
			.endsWith("compose stop app\ncompose run --rm\ncompose exec -T\ncompose start redis\n");
	}

	@ParameterizedTest
	@CsvSource({ "backup.sh, sentinel.yml", "backup.sh, cluster.yml", "restore.sh, sentinel.yml",
			"restore.sh, cluster.yml" })
	void nothingIsDoneWhereTheDataIsOnSeveralNodes(String script, String override) throws IOException {
		Files.writeString(this.directory.resolve("retwis.rdb"), "REDIS");
		Files.writeString(this.directory.resolve("retwis.rdb.archive"), "PGDMP");
		Docker.Said refusal = run(script, override);
		assertThat(refusal.exit()).isEqualTo(1);
		assertThat(refusal.output()).contains("Nothing was done", "operate.md");
		assertThat(this.directory.resolve("asked")).doesNotExist();
	}

}
