package live.retwis.ops;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code upgrade.sh} with a program in the place of Docker that has only instances of the
 * site. {@code ComposeChaos} runs it with real containers.
 */
@Timeout(60)
class UpgradeScriptTests {

	/**
	 * An instance is a file of {@code instances}, with its image and its health. An
	 * instance of the image {@code bad} never becomes healthy. The next image to build is
	 * in {@code source}, and the one that has the name {@code retwis-live} in
	 * {@code image}.
	 */
	private static final String DOCKER = """
			case "$*" in
			"compose version") ;;
			"compose build app") cp source image ;;
			"compose ps -q app" | "compose ps -aq app") ls instances ;;
			"compose up -d --no-deps --no-recreate --scale app="*" app")
				wanted=${7#app=}
				while [ "$(ls instances | wc -l)" -lt "$wanted" ]; do
					echo x >> started
					health=healthy
					! grep -q bad image || health=unhealthy
					echo "$(cat image) $health" > "instances/instance-$(wc -l < started)"
				done
				[ "$(ls instances | wc -l)" = "$wanted" ]
				;;
			"inspect --format {{.State.Health.Status}} "*) shift 3; cd instances; cut -d ' ' -f 2 "$@" ;;
			"inspect --format {{.Image}} "*) shift 3; cd instances; cut -d ' ' -f 1 "$@" ;;
			"stop --time 60 "*) test -f "instances/$4" ;;
			"rm "*) shift $(($# - 1)); rm "instances/$1" ;;
			"logs --tail 30 "*) echo "log of $4" ;;
			"tag "*" retwis-live") echo "$2" > image ;;
			*) echo "unknown: docker $*"; exit 9 ;;
			esac
			""";

	@TempDir
	private Path directory;

	@BeforeEach
	void startThreeInstancesOfTheOldImage() throws IOException {
		Files.createDirectory(this.directory.resolve("instances"));
		Files.writeString(this.directory.resolve("started"), "");
		Files.writeString(this.directory.resolve("image"), "old\n");
		for (String name : List.of("old-1", "old-2", "old-3")) {
			Files.writeString(this.directory.resolve("instances").resolve(name), "old healthy\n");
		}
	}

	private Docker.Said upgradeTo(String image) throws IOException {
		Files.writeString(this.directory.resolve("source"), image + "\n");
		return new StubbedPrograms(this.directory).with("docker", DOCKER).with("sleep", "").run("upgrade.sh");
	}

	/** Image and health of each instance. */
	private List<String> instances() throws IOException {
		try (Stream<Path> files = Files.list(this.directory.resolve("instances"))) {
			return files.map((file) -> {
				try {
					return Files.readString(file).strip();
				}
				catch (IOException ex) {
					throw new UncheckedIOException(ex);
				}
			}).toList();
		}
	}

	@Test
	void newInstancesTakeThePlaceOfTheOldOnes() throws IOException {
		assertThat(upgradeTo("new").successful()).doesNotContain("unknown");
		assertThat(instances()).containsExactly("new healthy", "new healthy", "new healthy");
	}

	@Test
	@Tag("slow")
	void afterABadImageTheSiteIsAsBeforeAndAGoodOneCanFollow() throws IOException {
		Docker.Said failure = upgradeTo("bad");
		assertThat(failure.exit()).isEqualTo(1);
		assertThat(failure.output()).contains("do not become well", "the old ones serve as before", "log of instance-1")
			.doesNotContain("unknown");
		assertThat(instances()).containsExactly("old healthy", "old healthy", "old healthy");
		assertThat(this.directory.resolve("image")).hasContent("old");
		assertThat(upgradeTo("new").successful()).doesNotContain("unknown");
		assertThat(instances()).containsExactly("new healthy", "new healthy", "new healthy");
	}

	@Test
	void anOldInstanceThatIsIllIsReplaced() throws IOException {
		Files.writeString(this.directory.resolve("instances").resolve("old-2"), "old unhealthy\n");
		assertThat(upgradeTo("new").successful()).doesNotContain("unknown");
		assertThat(instances()).containsExactly("new healthy", "new healthy", "new healthy");
	}

	@Test
	void anUpgradeThatIsBrokenOffLeavesTheSiteAsBefore() throws IOException {
		Files.writeString(this.directory.resolve("source"), "bad\n");
		Docker.Said end = new StubbedPrograms(this.directory).with("docker", DOCKER)
			.with("sleep", "kill -TERM $PPID")
			.run("upgrade.sh");
		assertThat(end.exit()).isEqualTo(1);
		assertThat(instances()).containsExactly("old healthy", "old healthy", "old healthy");
	}

}
