package live.retwis.archive;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;

import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How a site finds out that the database of its archive is away or back, and what it does
 * then.
 */
@EnabledIf("isInstalled")
class ArchiveRecoveryTests extends BreakableArchiveScene {

	@Test
	void healthAndMetricsTellThatTheArchiveIsAwayAndWhatWaitsForIt() {
		archive.move();
		String gone = this.old.get(25);
		this.author.get("/posts/" + gone);
		ArchiveHealthIndicator health = site.bean(ArchiveHealthIndicator.class);
		assertThat(health.health().block(BreakableArchive.BOUND)).isNotNull()
			.satisfies((state) -> assertThat(state.getDetails()).containsEntry("archive", "answers"));
		assertThat(this.author.submit("/posts/" + gone + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site);
		archive.breakBy(ArchiveFault.KILLED);
		assertThat(health.health().block(BreakableArchive.BOUND)).isNotNull().satisfies((state) -> {
			assertThat(state.getStatus()).isEqualTo(Status.UP);
			assertThat(state.getDetails().get("archive")).asString().startsWith("away: ");
			assertThat(state.getDetails().get("posts to delete")).asString().matches("[1-9]\\d*");
		});
		site.bean(ArchiveReconciler.class).run().onErrorComplete().block(BreakableArchive.BOUND);
		Awaitility.await()
			.atMost(BreakableArchive.BOUND)
			.untilAsserted(() -> assertThat(Visitor.ofManagement(site).get("/actuator/prometheus").body())
				.contains("retwis_archive_up 0.0")
				.contains("retwis_archive_connections{pool=\"pages\"} ", "retwis_archive_connections{pool=\"search\"} ")
				.contains("retwis_archive_connections_awaited{pool=\"pages\"} ",
						"retwis_archive_connections_awaited{pool=\"search\"} ")
				.containsPattern("retwis_archive_waiting [1-9]"));
		archive.mend();
		Awaitility.await()
			.atMost(BreakableArchive.BOUND)
			.until(() -> Visitor.ofManagement(site)
				.get("/actuator/prometheus")
				.body()
				.contains("retwis_archive_up 1.0"));
	}

	@Test
	void healthAndMetricsTellHowLongAgoAllPostsWereLookedAt() {
		ArchiveMover mover = site.bean(ArchiveMover.class);
		archive.breakBy(ArchiveFault.KILLED);
		Awaitility.await().atMost(BreakableArchive.BOUND).until(() -> secondsSincePass() > 3);
		double before = secondsSincePass();
		mover.run().onErrorComplete().block(BreakableArchive.BOUND);
		assertThat(secondsSincePass()).isGreaterThanOrEqualTo(before);
		assertThat(site.bean(ArchiveHealthIndicator.class).health().block(BreakableArchive.BOUND)).isNotNull()
			.satisfies((state) -> assertThat(state.getDetails().get("seconds since the last whole pass")).asString()
				.matches("\\d+"));
		archive.mend();
		mover.run().block(BreakableArchive.BOUND);
		assertThat(secondsSincePass()).isLessThan(before);
	}

	private static double secondsSincePass() {
		return Visitor.ofManagement(site)
			.get("/actuator/prometheus")
			.body()
			.lines()
			.filter((line) -> line.startsWith("retwis_archive_passed_seconds "))
			.mapToDouble((line) -> Double.parseDouble(line.substring(line.indexOf(' '))))
			.findFirst()
			.orElseThrow();
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = { "SLOW", "RESTARTED" })
	@Tag("long")
	void movingGoesOnLater(ArchiveFault how) {
		archive.breakBy(how);
		archive.move();
		assertThat(this.store.inRedis(this.old)).hasSameSizeAs(this.old);
		assertThat(this.reader.get(profile()).postIds()).isEqualTo(this.old.subList(0, 20));
		archive.mend();
		archive.move();
		assertMoved();
	}

	@Test
	void postsMoveToASlowDatabaseToo() {
		archive.breakBy(ArchiveFault.SLOW);
		archive.move();
		archive.mend();
		assertMoved();
	}

	private void assertMoved() {
		assertThat(this.store.inRedis(this.old)).isEmpty();
		Answer page = Awaitility.await("the page, soon after the database is back")
			.atMost(BreakableArchive.BOUND)
			.until(() -> this.reader.get(older()), (answer) -> answer.status() == 200);
		assertThat(page.postIds()).containsExactlyElementsOf(this.old.subList(20, 40));
	}

	/** Uses as many connections at once as the instance may have. */
	private static void useAllConnections() {
		ArchiveDatabase archive = site.bean(ArchiveDatabase.class);
		Flux.range(0, 10)
			.flatMap((number) -> archive.read((client) -> client.sql("select pg_sleep(0.3)").fetch().rowsUpdated()))
			.blockLast(BreakableArchive.BOUND);
		assertThat(database.sql("select 1 from pg_stat_activity where backend_type = 'client backend'"))
			.as("these connections and that of this question")
			.hasSizeGreaterThan(10);
	}

	private static boolean answers() {
		return site.bean(ArchivedPostRepository.class)
			.findAll(List.of("nobody"))
			.hasElement()
			.onErrorReturn(false)
			.blockOptional(BreakableArchive.BOUND)
			.orElseThrow();
	}

	/** Whoever asked while it was away makes the others wait for a second. */
	@Test
	void aServerThatWasRestartedIsReachedWithinTwoSeconds() {
		useAllConnections();
		database.kill();
		database.restart();
		Awaitility.await().atMost(Duration.ofSeconds(2)).until(ArchiveRecoveryTests::answers);
	}

	@Test
	void aLateFailureDoesNotHideADatabaseThatAnswersAgain() {
		ArchiveDatabase archive = site.bean(ArchiveDatabase.class);
		CompletableFuture<Boolean> late = archive
			.read((client) -> client.sql("select pg_sleep(10)").fetch().rowsUpdated().hasElement())
			.onErrorReturn(false)
			.toFuture();
		Awaitility.await().atMost(BreakableArchive.BOUND).until(ArchiveRecoveryTests::answers);
		assertThat(late.join()).as("it took too long").isFalse();
		assertThat(answers()).isTrue();
	}

	@Test
	void connectionsThatHangAreReplacedSoon() {
		useAllConnections();
		database.pauseConnections();
		try {
			Awaitility.await().atMost(Duration.ofSeconds(15)).until(ArchiveRecoveryTests::answers);
			for (int i = 0; i < 20; i++) {
				assertThat(answers()).as("answer %s", i).isTrue();
			}
		}
		finally {
			database.resume();
		}
	}

}
