package live.retwis.learn;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import live.retwis.i18n.Localized;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The chapters, and the experiments that users without scripts have played.
 */
@Timeout(90)
class LearnTests {

	private static final Localized NO_TEXT = Localized.verbatim("");

	@SuppressWarnings("NullAway.Init")
	private static Site site;

	@BeforeAll
	static void start() {
		site = Site.another("--retwis.learn.enabled=true", "--retwis.lab.enabled=true");
	}

	@AfterAll
	static void stop() {
		site.close();
	}

	@Test
	void everybodyReadsAllChaptersInEachLanguage() {
		for (String language : List.of("en", "zh")) {
			Visitor stranger = Visitor.of(site);
			Answer list = stranger.get("/learn?lang=" + language);
			assertThat(list.body()).contains("<html lang=\"" + language + "\">", "<p class=\"aside-line\">",
					"<a href=\"/lab\">", "<a href=\"/learn\">");
			for (Chapter chapter : Chapters.ALL) {
				assertThat(list.body()).contains("href=\"" + chapter.address() + "\"");
				Answer page = stranger.get(chapter.address());
				assertThat(page.status()).as(chapter.name()).isEqualTo(200);
				assertThat(page.body()).as(chapter.name())
					.doesNotContain("[[", "Message[", "learn." + chapter.name())
					.contains("<details", "%2Flearn%2F" + chapter.name());
			}
		}
		assertThat(Visitor.of(site).get("/learn/none").status()).isEqualTo(404);
	}

	@Test
	void aUserHasAnExperimentPlayedAndNobodyElseSeesIt() {
		Visitor ann = Visitor.registered(site);
		ann.get("/learn/atomicity");
		Answer sent = ann.submit("/learn/atomicity/run");
		assertThat(sent.status()).isEqualTo(303);
		assertThat(sent.location()).matches("/learn/atomicity\\?run=[A-Za-z0-9_-]{22}");
		String page = ann.get(sent.location()).body();
		assertThat(page)
			.contains("data-lane=\"a\"", "data-lane=\"b\"", "SET likes 11", "Two likes, and the count is 11.")
			.containsSubsequence("WATCH likes", "EXEC", "(nil)");
		Visitor bob = Visitor.registered(site);
		assertThat(bob.get(sent.location()).status()).isEqualTo(404);
		assertThat(Visitor.of(site).get(sent.location()).status()).isEqualTo(404);
		assertThat(ann.get(sent.location().replace("atomicity", "strings")).status()).isEqualTo(404);
		assertThat(ann.get("/learn/atomicity?run=x").status()).isEqualTo(404);
	}

	@Test
	void aVisitorWhoIsNotSignedInIsAskedToLogIn() {
		Visitor stranger = Visitor.of(site);
		stranger.get("/login");
		assertThat(stranger.submit("/learn/strings/run").location()).isEqualTo("/login?next=%2Flearn%2Fstrings");
	}

	@Test
	void whereExperimentsAreOffTheTextsAreThere() {
		Visitor ann = Visitor.registered(Site.shared());
		assertThat(ann.get("/learn/strings").body()).contains("Experiments are off on this server.")
			.doesNotContain("/learn/strings/run");
		assertThat(ann.submit("/learn/strings/run").status()).isEqualTo(404);
		assertThat(ann.get("/learn").body()).doesNotContain("href=\"/lab\"");
	}

	@Test
	void aUserHasOnePlaceAndTheOthersAreFree() throws Exception {
		ExperimentRunner runner = site.bean(ExperimentRunner.class);
		CountDownLatch go = new CountDownLatch(1);
		Chapter slow = chapter((context) -> awaits(go));
		CompletableFuture<Transcript> first = runner.play(slow, "greedy").toFuture();
		assertThat(runner.play(slow, "greedy").blockOptional()).isEmpty();
		CompletableFuture<Transcript> other = runner.play(slow, "modest").toFuture();
		go.countDown();
		assertThat(first.get(20, TimeUnit.SECONDS).complete()).isTrue();
		assertThat(other.get(20, TimeUnit.SECONDS).complete()).isTrue();
		assertThat(runner.play(slow, "greedy").blockOptional()).as("the place is free again").isPresent();
	}

	@Test
	void oneIsPlayedAtATimeThreeWaitAndMoreAreToldSo() throws Exception {
		ExperimentRunner runner = site.bean(ExperimentRunner.class);
		CountDownLatch go = new CountDownLatch(1);
		Chapter slow = chapter((context) -> awaits(go));
		List<CompletableFuture<Transcript>> played = IntStream.range(0, 4)
			.mapToObj((number) -> runner.play(slow, "user" + number).toFuture())
			.toList();
		Visitor ann = Visitor.registered(site);
		ann.get("/learn/strings");
		Answer refused = ann.submit("/learn/strings/run");
		assertThat(refused.status()).isEqualTo(409);
		assertThat(refused.errors())
			.containsExactly("Several experiments are waiting already. Try again in a few seconds.");
		go.countDown();
		for (CompletableFuture<Transcript> one : played) {
			assertThat(one.get(20, TimeUnit.SECONDS).complete()).isTrue();
		}
		assertThat(ann.submit("/learn/strings/run").status()).isEqualTo(303);
	}

	@Test
	void anExperimentThatBreaksOffSaysSo() {
		Transcript transcript = site.bean(ExperimentRunner.class).play(chapter((context) -> {
			throw new IOException("the server has gone");
		}), "user").block();
		assertThat(transcript).isNotNull();
		assertThat(transcript.complete()).isFalse();
	}

	@Test
	void aStoppingInstanceEndsTheServersOfItsExperiment() throws Exception {
		Site ending = Site.another("--retwis.learn.enabled=true");
		Set<Long> before = servers();
		CountDownLatch started = new CountDownLatch(1);
		ending.bean(ExperimentRunner.class).play(chapter((context) -> {
			ExperimentContext.Client client = context.a(context.servers().start());
			started.countDown();
			client.does(NO_TEXT, "BLPOP", "nothing", "0");
		}), "user").toFuture();
		assertThat(started.await(20, TimeUnit.SECONDS)).isTrue();
		Set<Long> own = servers();
		own.removeAll(before);
		assertThat(own).hasSize(1);
		if (hasRenice()) {
			Awaitility.await("a low priority").atMost(Duration.ofSeconds(20)).until(() -> niceness(own) == 10);
		}
		ending.close();
		assertThat(servers()).isSubsetOf(before);
	}

	private static Chapter chapter(Experiment experiment) {
		return new Chapter(99, "made-up", NO_TEXT, NO_TEXT, experiment);
	}

	private static void awaits(CountDownLatch latch) throws IOException {
		try {
			latch.await(20, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			throw new IOException(ex);
		}
	}

	/** Linux has it. Elsewhere servers keep their priority. */
	private static boolean hasRenice() {
		return Files.exists(Path.of("/proc")) && Stream.of(System.getenv("PATH").split(":"))
			.anyMatch((folder) -> Files.exists(Path.of(folder, "renice")));
	}

	/** The niceness of the only process among these. */
	private static int niceness(Set<Long> processes) throws IOException {
		String facts = Files.readString(Path.of("/proc", processes.iterator().next() + "/stat"));
		return Integer.parseInt(facts.substring(facts.lastIndexOf(')') + 2).split(" ")[16]);
	}

	private static Set<Long> servers() {
		return ProcessHandle.current()
			.descendants()
			.filter((process) -> process.info().command().orElse("").matches(".*/redis-[^/]*"))
			.map(ProcessHandle::pid)
			.collect(Collectors.toSet());
	}

}
