package live.retwis.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;

import org.awaitility.Awaitility;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/** A server in a container. */
final class ContainerPostgres implements TestPostgres {

	private static final Logger log = LoggerFactory.getLogger(ContainerPostgres.class);

	static final DockerImageName IMAGE = DockerImageName.parse("postgres:17-alpine");

	private static final int PORT = 5432;

	private static final Duration BOUND = Duration.ofSeconds(60);

	private static final String LOG = "/tmp/postgres.log";

	private static final String START = """
			data=/var/lib/postgresql/data/tests
			initdb -D $data -U retwis --auth=trust -E UTF8 --locale=C --no-sync &&
			echo 'host all all all trust' >> $data/pg_hba.conf &&
			exec postgres -D $data -c listen_addresses='*' -c unix_socket_directories=/tmp -c fsync=off > %s 2>&1"""
		.formatted(LOG);

	private final Container container = new Container();

	static ContainerPostgres start() {
		ContainerPostgres postgres = new ContainerPostgres();
		try {
			postgres.container.start();
			Awaitility.await()
				.atMost(BOUND)
				.until(() -> postgres.run("pg_isready", "-h", "127.0.0.1").getExitCode() == 0);
			log.info("The archive of these tests is PostgreSQL, a container of {}", IMAGE);
			return postgres;
		}
		catch (RuntimeException ex) {
			postgres.close();
			throw ex;
		}
	}

	private ExecResult run(String... command) {
		try {
			return this.container.execInContainer(command);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public List<String> settings() {
		return List.of(
				"--retwis.archive.url=r2dbc:postgresql://" + this.container.getHost() + ":"
						+ this.container.getMappedPort(PORT) + "/postgres",
				"--retwis.archive.username=retwis", "--retwis.archive.password=retwis");
	}

	@Override
	public List<String> sql(String statements) {
		return SqlConsole.run(this.container.getHost(), this.container.getMappedPort(PORT), statements);
	}

	@Override
	public String log() {
		return String.join("\n", sql("select pg_read_file('" + LOG + "')"));
	}

	@Override
	public void close() {
		this.container.stop();
	}

	private static final class Container extends GenericContainer<Container> {

		Container() {
			super(IMAGE);
			withExposedPorts(PORT);
			withCreateContainerCmdModifier((command) -> command.withUser("postgres").withEntrypoint("sh", "-c", START));
		}

	}

}
