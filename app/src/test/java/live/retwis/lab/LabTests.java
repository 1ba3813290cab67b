package live.retwis.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;
import live.retwis.locks.lab.scenario.Scenarios;
import live.retwis.locks.lab.words.LabWords;
import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Users without scripts begin, watch and read runs.
 */
@Timeout(180)
class LabTests {

	/** The first of the cores that a process may use. */
	private static final Pattern FIRST_CORE = Pattern.compile("Cpus_allowed_list:\\t\\d+");

	/**
	 * Longest wait for a run. A run starts six servers, and the machine may have other
	 * work.
	 */
	private static final Duration RUN = Duration.ofSeconds(60);

	private static final String[] FREE = form("scenario", "free", "engine", "redisson");

	@SuppressWarnings("NullAway.Init")
	private static Site site;

	private final Visitor ann = Visitor.registered(site);

	@BeforeAll
	static void start() {
		site = Site.another("--retwis.lab.enabled=true");
	}

	@AfterAll
	static void stop() {
		site.close();
	}

	/** The form as the page fills it in, with some fields changed. */
	private static String[] form(String... changed) {
		Map<String, String> fields = new LinkedHashMap<>(Map.of("scenario", "0", "engine", "parallel", "nodes", "5",
				"lease", "1000", "node_timeout", "100", "seed", "1", "rounds", "1"));
		for (int i = 0; i < changed.length; i += 2) {
			fields.put(changed[i], changed[i + 1]);
		}
		return fields.entrySet()
			.stream()
			.flatMap((field) -> Stream.of(field.getKey(), field.getValue()))
			.toArray(String[]::new);
	}

	private Answer begin(String... fields) {
		this.ann.get("/lab");
		return this.ann.submit("/lab/runs", fields);
	}

	private static void awaitIdle() {
		Awaitility.await("the end of the run").atMost(RUN).until(() -> site.bean(LabRunner.class).underWay().isEmpty());
	}

	private static void awaitRound() {
		Awaitility.await("a round")
			.atMost(RUN)
			.until(() -> site.bean(LabRunner.class).underWay().isEmpty() || site.bean(LabRunner.class)
				.latest()
				.filter((run) -> run.rounds().stream().anyMatch((round) -> !round.nodes().isEmpty()))
				.isPresent());
		assertThat(site.bean(LabRunner.class).underWay()).as("has not failed; the log would say why").isPresent();
	}

	@Test
	void everybodyCanReadTheLabAndPlayingItNeedsALogIn() {
		Visitor stranger = Visitor.of(site);
		Answer page = stranger.get("/lab");
		assertThat(page.status()).isEqualTo(200);
		assertThat(page.body()).contains("Log in to run it", "href=\"/lab/scenarios/8a\"", "data-lab=\"/live/lab\"")
			.contains("type=\"checkbox\" name=\"engine\" value=\"raw\" checked",
					"type=\"checkbox\" name=\"engine\" value=\"redisson\" checked",
					"type=\"radio\" name=\"engine\" value=\"redisson\" checked", "value=\"0\" selected")
			.doesNotContain("value=\"rlock\" checked");
		stranger.get("/login");
		Answer sent = stranger.submit("/lab/runs", FREE);
		assertThat(sent.status()).isEqualTo(303);
		assertThat(sent.location()).isEqualTo("/login?next=%2Flab");
		assertThat(stranger.submit("/lab/stop").location()).isEqualTo("/login?next=%2Flab");
		assertThat(stranger.submit("/lab/actions", "kind", "pause", "node", "1").location())
			.isEqualTo("/login?next=%2Flab");
	}

	@Test
	void aFormWithoutTheTokenOfAPageIsRefused() {
		Visitor forged = Visitor.registered(site);
		forged.get("/lab");
		assertThat(forged.submit("/lab/runs", "_csrf", "forged").status()).isEqualTo(403);
	}

	@Test
	void aWrongFormShowsTheInputAgainWithAMessageForEachField() {
		Answer answer = begin(form("scenario", "99", "engine", "none", "nodes", "4", "lease", "1", "node_timeout", "x",
				"seed", "1.5", "rounds", "21"));
		assertThat(answer.status()).isEqualTo(422);
		assertThat(answer.body()).contains("<a href=\"/lab?lang=zh\"");
		assertThat(answer.errors()).contains("Choose a scenario from the list.",
				"Choose at least one kind of lock from the list.", "Choose 3 or 5 nodes.",
				"Enter a whole number from 500 to 5000.", "Enter a whole number from 10 to 1000.",
				"Enter a whole number from 1 to 20.");
		assertThat(answer.body()).contains("value=\"1.5\"", "id=\"lab-rounds-error\"");
		assertThat(site.bean(LabRunner.class).underWay()).isEmpty();
		assertThat(begin(form("scenario", "8a", "nodes", "3")).errors())
			.containsExactly("This scenario is written for five nodes.");
		assertThat(begin(form("scenario", "4", "engine", "rfenced", "rounds", "")).errors()).isNotEmpty();
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void onlyOneRunIsPlayedAtATimeAndOnlyFreePlayTakesActions() {
		assertThat(begin(FREE).status()).isEqualTo(303);
		Answer second = begin(FREE);
		assertThat(second.status()).isEqualTo(409);
		assertThat(second.errors()).singleElement()
			.asString()
			.startsWith(this.ann.name()
					+ " has been running three clients contend for the lock while you break things (Retwis, sequential) since 2")
			.endsWith("UTC. One run at a time: watch it below.");
		awaitRound();
		assertThat(this.ann.submit("/lab/actions", "kind", "dance", "node", "1").status()).isEqualTo(422);
		assertThat(this.ann.submit("/lab/actions", "kind", "pause", "node", "x").status()).isEqualTo(422);
		assertThat(this.ann.submit("/lab/actions", "kind", "pause", "node", "6").status()).isEqualTo(409);
		assertThat(this.ann.submit("/lab/actions", "kind", "pause", "node", "3").status()).isEqualTo(303);
		Awaitility.await("the page says so")
			.atMost(RUN)
			.until(() -> this.ann.get("/lab").body().contains("<tr><th scope=\"row\">3</th><td>Paused</td>"));
		assertThat(this.ann.get("/lab").body()).contains("It is running; reload to see more.",
				"action=\"/lab/actions\"");
		Visitor ben = Visitor.registered(site);
		assertThat(ben.get("/lab").body()).doesNotContain("/lab/stop");
		assertThat(ben.submit("/lab/stop").status()).isEqualTo(403);
		Answer meddling = ben.submit("/lab/actions", "kind", "resume", "node", "3");
		assertThat(meddling.status()).isEqualTo(403);
		assertThat(meddling.body()).contains("Only the user who began this free play can act in it.");
		assertThat(ben.get("/lab").body()).doesNotContain("action=\"/lab/actions\"");
		assertThat(ben.submit("/lab/runs", FREE).status()).isEqualTo(409);
		assertThat(this.ann.get("/lab").body()).contains("/lab/stop");
		assertThat(this.ann.submit("/lab/stop").status()).isEqualTo(303);
		awaitIdle();
		Answer again = begin(FREE);
		assertThat(again.status()).isEqualTo(409);
		assertThat(again.errors()).singleElement().asString().startsWith("Others are waiting for a run.");
		assertThat(this.ann.get("/lab").body()).contains("It has finished.")
			.containsPattern("<a href=\"/lab/runs/\\w+\" lang=\"en\">free three clients contend")
			.doesNotContain("action=\"/lab/actions\"");
		assertThat(this.ann.submit("/lab/actions", "kind", "pause", "node", "3").status()).isEqualTo(409);
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void anOperatorSeesAndEndsARunAtTheManagementPort() {
		Visitor operator = Visitor.ofManagement(site);
		String run = "/actuator/labrun";
		assertThat(operator.get(run).body()).isEqualTo("{}");
		assertThat(begin(FREE).status()).isEqualTo(303);
		assertThat(operator.get(run).json().get("by").asString()).isEqualTo(this.ann.name());
		String named = run + "/" + operator.get(run).json().get("id").asString();
		assertThat(this.ann.send("DELETE", named, BodyPublishers.noBody()).status()).as("at the site").isEqualTo(404);
		assertThat(operator.send("DELETE", run + "/another", BodyPublishers.noBody()).status()).isEqualTo(404);
		assertThat(operator.get(run).body()).as("still playing").isNotEqualTo("{}");
		assertThat(operator.send("DELETE", named, BodyPublishers.noBody()).status()).isEqualTo(204);
		awaitIdle();
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void clientsThatAreToldWhatToDoShowTheAnswerOfTheStore() {
		assertThat(begin(form("scenario", "free", "engine", "redisson", "lease", "5000", "by_hand", "on")).status())
			.isEqualTo(303);
		awaitRound();
		assertThat(this.ann.get("/lab").body()).contains("name=\"client\"",
				"<option value=\"acquire\">Try for the lock</option>", "data-lab-by-hand");
		assertThat(this.ann.submit("/lab/actions", "kind", "acquire", "client", "D").status()).isEqualTo(422);
		tell("write", "not done: it was not granted the lock");
		tell("acquire", "tried for the lock: granted");
		tell("write", "wrote 1: accepted by the store (the store compares the owner)");
		tell("release", "gave the lock back");
		tell("pause", "<td>paused</td>");
		assertThat(Visitor.of(site).get("/lab?lang=zh").body()).contains("<td>正常</td>", "<td>已暂停</td>")
			.doesNotContain("<td>up</td>", "<td>free</td>");
		tell("kill", "<td>dead</td>");
		assertThat(this.ann.submit("/lab/stop").status()).isEqualTo(303);
		awaitIdle();
	}

	private void tell(String what, String shown) {
		assertThat(this.ann.submit("/lab/actions", "kind", what, "client", "A", "keep", "on").status()).isEqualTo(303);
		Awaitility.await(shown).atMost(RUN).until(() -> this.ann.get("/lab").body().contains(shown));
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void anybodyCanWatchARunAndEveryInstanceShowsItLater() {
		// Begun first, because the events of the run before are kept until then.
		assertThat(begin(form("rounds", "2", "lease", "3000")).status()).isEqualTo(303);
		try (EventStream stream = Visitor.of(site).open("/live/lab")) {
			assertThat(stream.status()).isEqualTo(200);
			assertThat(stream.header("Content-Type")).startsWith("text/event-stream");
			assertThat(stream.header("Cache-Control")).isEqualTo("no-store");
			stream.await((event) -> event.name().equals("position"));
			Awaitility.await("the end").atMost(RUN).until(() -> !stream.events("end").isEmpty());
			awaitIdle();
			String run = site.bean(LabRunner.class).latest().orElseThrow().head().id();
			assertThat(stream.events("end").get(0).data())
				.isEqualTo("{\"run\":\"" + run + "\",\"kept\":true,\"error\":\"\"}");
			assertThat(stream.events("round")).hasSize(2);
			assertThat(stream.events("judged")).hasSize(2)
				.allSatisfy((event) -> assertThat(event.data()).contains("\"ending\":\"AS_DESCRIBED\""));
			assertThat(stream.events("events")).isNotEmpty()
				.allSatisfy((event) -> assertThat(event.id()).startsWith(run + "-"));
			isResumed(stream.events("judged").get(0).id());
			isRead(run, Visitor.of(site));
			try (Site other = Site.another("--retwis.lab.enabled=true")) {
				isRead(run, Visitor.of(other));
			}
		}
	}

	@Test
	@Tag("slow")
	void whatARunDoesNotPlayIsSaidInTheLanguageOfThePage() {
		ScenarioDescription about = Scenarios.ALL.stream()
			.map(Scenario::about)
			.filter((some) -> !some.expected().containsKey(LabEngine.SETNX_WATCH))
			.filter((some) -> some.expected().containsKey(LabEngine.PARALLEL))
			.findFirst()
			.orElseThrow();
		this.ann.get("/lab");
		Answer begun = this.ann.submitParts("/lab/runs",
				Stream
					.concat(Stream.of(form("scenario", about.number())),
							Stream.of("engine", LabEngine.SETNX_WATCH.label()))
					.toArray());
		assertThat(begun.status()).as(() -> begun.errors().toString()).isEqualTo(303);
		awaitIdle();
		assertThat(this.ann.get("/lab").body())
			.contains(about.title(LabWords.ENGLISH) + "”, was not played with SET NX and WATCH: it says nothing about");
		assertThat(this.ann.get("/lab", "Accept-Language", "zh").body()).contains("它没有说明这个引擎", "没有用");
		try (EventStream stream = Visitor.of(site).open("/live/lab")) {
			stream.await((event) -> event.name().equals("skipped"));
			assertThat(stream.events("skipped").get(0).data()).contains("\"zh\":\"", "\"en\":\"");
		}
	}

	private static void isResumed(String seen) {
		try (EventStream again = Visitor.of(site).open("/live/lab", "Last-Event-ID", seen)) {
			again.await((event) -> event.name().equals("end"));
			assertThat(again.events().get(0).id()).isEqualTo(seen);
			assertThat(again.events("run")).isEmpty();
			assertThat(again.events("reset")).isEmpty();
			assertThat(again.events("judged")).hasSize(1);
		}
	}

	private static void isRead(String run, Visitor visitor) {
		assertThat(visitor.get("/lab").body()).contains("href=\"/lab/runs/" + run + "\"");
		Answer page = visitor.get("/lab/runs/" + run);
		assertThat(page.status()).isEqualTo(200);
		assertThat(page.body()).contains(
				"Retwis, parallel: Never did two clients hold the lock at once. No write was lost.",
				"<td>invoke</td><td>A</td><td>acquire</td>", "data-lab-round=\"1\"", "1 Reads the clock",
				"<td>asked</td><td>A</td><td>take</td>");
		Answer report = visitor.get("/lab/runs/" + run + "/report");
		assertThat(report.header("Content-Disposition")).contains("attachment", run);
		assertThat(report.body()).startsWith("<!doctype html>")
			.contains("Redlock lab", "\"lab.lanes\":\"Who had the lock", "\"lab.node\":\"node {0}\"");
		Answer json = visitor.get("/lab/runs/" + run + ".json");
		assertThat(json.header("Content-Type")).isEqualTo("application/json");
		assertThat(json.json().get("rounds")).hasSize(2);
	}

	@Test
	void thePageOfAScenarioExplainsItAndNamesItsSources() {
		Answer page = this.ann.get("/lab/scenarios/8a");
		assertThat(page.body()).contains("held-reply", "Two clients hold the lock at once. A write is lost.",
				"martin.kleppmann.com", "antirez.com", "action=\"/lab/runs\"", "value=\"8a\" selected");
		assertThat(this.ann.get("/lab/scenarios/held-reply").status()).isEqualTo(200);
		assertThat(this.ann.get("/lab/scenarios/free").body()).contains("name=\"scenario\" value=\"free\"",
				"type=\"radio\"");
		assertThat(this.ann.get("/lab/scenarios/99").status()).isEqualTo(404);
		assertThat(this.ann.get("/lab/runs/0AAAAAAAAAAAA").status()).isEqualTo(404);
		assertThat(this.ann.get("/lab/runs/nothing.json").status()).isEqualTo(404);
	}

	@Test
	void allOfTheLabIsThereInChinese() {
		Visitor reader = Visitor.of(site);
		assertThat(reader.get("/lab?lang=zh").body()).contains("一个节点对取锁的应答被扣过了租约", "从这里开始", "Retwis（逐个）");
		assertThat(reader.get("/lab/scenarios/8a?lang=zh").body()).contains("以及作为补救的栅栏令牌", "Redlock 的说明从租约中扣除已用的时间",
				"两个客户端同时持有锁。有一次写入丢失。");
	}

	@Test
	void aLessonAsksFirstAndShowsWhatHappenedAfterAPrediction() {
		Visitor reader = Visitor.of(site);
		assertThat(reader.get("/lab/course").body()).containsSubsequence("/lab/course/contention", "/lab/course/crash",
				"/lab/course/pause", "/lab/course/clock", "/lab/course/replica", "/lab/course/reply");
		for (Lesson lesson : Lesson.values()) {
			String path = "/lab/course/" + lesson.label();
			assertThat(reader.get(path).body()).contains("name=\"answer\" value=\"a\"", "What will happen?")
				.doesNotContain("data-lab-report");
			assertThat(reader.get(path + "?answer=a").body()).contains(
					lesson.isRight("a") ? "So it was." : "It was not so.", "That is what this scenario shows.",
					"5 Gives back", "data-lab-report=\"" + path + ".json\"");
			assertThat(reader.get(path + ".json").json().get("rounds")).singleElement()
				.satisfies((round) -> assertThat(round.get("record").get("scenario").asString())
					.isEqualTo(lesson.scenario()));
		}
		assertThat(reader.get("/lab/course/nothing").status()).isEqualTo(404);
		assertThat(reader.get("/lab/course/reply?answer=x").body()).contains("What will happen?");
	}

	@Test
	void theLessonOnContentionShowsATryInWhichNobodyWins() {
		JsonNode events = Visitor.of(site)
			.get("/lab/course/contention.json")
			.json()
			.get("rounds")
			.get(0)
			.get("record")
			.get("events");
		assertThat(events.valueStream()
			.filter((event) -> event.get("kind").asString().equals("RETURN")
					&& event.get("name").asString().equals("acquire"))
			.map((event) -> event.get("details").get("outcome").asString()))
			.containsExactly("taken", "taken", "taken", "acquired");
	}

	@Test
	void noAddressOfTheLabExistsWhereItIsSwitchedOff() {
		Visitor bob = Visitor.registered(Site.shared());
		assertThat(bob.get("/timeline").body()).doesNotContain("/lab");
		assertThat(this.ann.get("/timeline").body()).contains("href=\"/lab\"");
		for (String path : List.of("/lab", "/live/lab", "/lab/scenarios/8a", "/lab/runs/0AAAAAAAAAAAA")) {
			assertThat(bob.get(path).status()).as(path).isEqualTo(404);
		}
		bob.get("/home");
		for (String path : List.of("/lab/runs", "/lab/stop", "/lab/actions")) {
			assertThat(bob.submit(path).status()).as(path).isEqualTo(404);
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aRunThatTakesTooLongIsStopped() {
		try (Site hasty = Site.another("--retwis.lab.enabled=true", "--retwis.lab.limit=8s")) {
			Visitor visitor = Visitor.registered(hasty);
			visitor.get("/lab");
			assertThat(visitor.submit("/lab/runs", FREE).status()).isEqualTo(303);
			Awaitility.await("its end").atMost(RUN).until(() -> hasty.bean(LabRunner.class).underWay().isEmpty());
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aStoppingInstanceEndsAllProcessesOfItsRun() {
		Site ending = Site.another("--retwis.lab.enabled=true");
		Visitor visitor = Visitor.registered(ending);
		visitor.get("/lab");
		Set<String> before = processes();
		EventStream stream = visitor.open("/live/lab");
		assertThat(visitor.submit("/lab/runs", FREE).status()).isEqualTo(303);
		Awaitility.await("servers of its own").atMost(RUN).until(() -> !stream.events("events").isEmpty());
		Set<String> own = processes();
		own.removeAll(before);
		assertThat(own).isNotEmpty();
		if (Files.exists(Path.of("/usr/bin/taskset"))) {
			Matcher first = FIRST_CORE.matcher(read("self", "status"));
			assertThat(first.find()).isTrue();
			Awaitility.await("they share a core, and get it last")
				.atMost(RUN)
				.untilAsserted(() -> assertThat(own).allSatisfy((process) -> {
					assertThat(read(process, "status")).contains(first.group() + "\n");
					// The part behind the name of the program begins with field 3; its
					// niceness is field 19.
					String stat = read(process, "stat");
					assertThat(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[16]).isEqualTo("10");
				}));
		}
		ending.close();
		stream.awaitEnd();
		assertThat(Integer.valueOf(stream.retry())).isBetween(500, 5000);
		assertThat(processes()).isSubsetOf(before);
	}

	private static String read(String process, String file) {
		try {
			return Files.readString(Path.of("/proc", process.split(" ")[0], file));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The servers that a lab starts. Other child processes, such as the browsers of other
	 * tests, come and go at any time and are not counted.
	 */
	private static Set<String> processes() {
		return ProcessHandle.current()
			.descendants()
			.map((process) -> process.pid() + " " + process.info().command().orElse("gone"))
			.filter((process) -> process.matches(".*/(redis-|java)[^/]*"))
			.collect(Collectors.toSet());
	}

}
