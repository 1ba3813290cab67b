package live.retwis.lab;

import java.time.Duration;

import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class LockDesignHandlerTests {

	private static final Duration LIMIT = Duration.ofSeconds(90);

	/** Fewer yeses than a majority, so no fault is needed. */
	private static final String[] BROKEN = { "nodes", "5", "quorum", "2", "order", "one-by-one", "vote", "second-look",
			"validity", "yes", "drift", "yes", "clock", "steady", "release", "own-key", "fence", "owner" };

	@SuppressWarnings("NullAway.Init")
	private static Site site;

	private final Visitor visitor = Visitor.registered(site);

	@BeforeAll
	static void start() {
		site = Site.another("--retwis.lab.enabled=true");
	}

	@AfterAll
	static void stop() {
		site.close();
	}

	private static Answer found(Answer begun) {
		assertThat(begun.status()).isEqualTo(303);
		return Awaitility.await()
			.atMost(LIMIT)
			.until(() -> Visitor.of(site).get(begun.header("Location")),
					(page) -> page.status() == 200 && page.response().headers().firstValue("Refresh").isEmpty());
	}

	@Test
	void aLockThatIsWrongIsBrokenAndEverybodyCanSeeHow() {
		Answer begun = this.visitor.submit("/lab/design", BROKEN);
		Answer page = found(begun);
		assertThat(page.body()).contains("one was found that breaks this lock without any fault")
			.contains("both had the lock for")
			.contains("Two groups of 2 among 5 nodes need not share a node.")
			.doesNotContain("The store compares nothing.")
			.contains("value=\"2\" checked")
			.doesNotContain("Mend this and search again");
		assertThat(this.visitor.get(begun.header("Location")).body()).contains("Mend this and search again",
				"How many nodes must say yes? 3", "type=\"hidden\" name=\"quorum\" value=\"3\"");
		Answer json = this.visitor.get(begun.header("Location").replace("design?", "design.json?"));
		assertThat(json.status()).isEqualTo(200);
		assertThat(json.body()).contains("\"ASKED\"", "\"NODES\"", "\"lease\"");
	}

	@Test
	@Tag("slow")
	void whatWasFoundIsPlayedOnRealNodesAndTheRunSaysWhetherItHappened() {
		Answer page = found(this.visitor.submit("/lab/design", BROKEN));
		assertThat(page.body()).contains("Does it really happen?").doesNotContain("action=\"/lab/design/play\"");
		assertThat(Visitor.of(site).get("/lab/design").body()).doesNotContain("Does it really happen?");
		assertThat(this.visitor.submit("/lab/design/play", BROKEN).location()).isEqualTo("/lab#live");
		assertThat(this.visitor.submit("/lab/design/play", BROKEN).status()).isEqualTo(409);
		Awaitility.await().atMost(LIMIT).until(() -> site.bean(LabRunner.class).underWay().isEmpty());
		String run = site.bean(LabRunner.class).latest().orElseThrow().head().id();
		Answer played = this.visitor.get("/lab/runs/" + run);
		assertThat(played.body()).contains("Two clients", "on real nodes", "1 Reads the clock",
				"href=\"/lab/design?nodes&#x3D;5&amp;quorum&#x3D;2&amp;",
				"The design, and the schedule that breaks it");
		String[] sound = BROKEN.clone();
		sound[3] = "3";
		assertThat(this.visitor.submit("/lab/design/play", sound).status()).as("nothing was found for it")
			.isEqualTo(422);
	}

	@ParameterizedTest
	@ValueSource(strings = { "3", "4", "5" })
	void eachNumberOfNodesCanBeChosenAndItsQuorumMended(String nodes) {
		String[] one = BROKEN.clone();
		one[1] = nodes;
		one[3] = "1";
		Answer begun = this.visitor.submit("/lab/design", one);
		assertThat(found(begun).body()).contains("name=\"nodes\" value=\"" + nodes + "\" checked");
		assertThat(this.visitor.get(begun.header("Location")).body()).contains("Mend this and search again",
				"type=\"hidden\" name=\"nodes\" value=\"" + nodes + "\"");
	}

	@Test
	void whatCannotBeBuiltIsRefused() {
		String[] more = BROKEN.clone();
		more[1] = "3";
		more[3] = "4";
		Answer refused = this.visitor.submit("/lab/design", more);
		assertThat(refused.status()).isEqualTo(422);
		assertThat(refused.body()).contains("No lock can have 4 yeses from 3 nodes.")
			.contains("name=\"nodes\" value=\"3\" checked", "name=\"quorum\" value=\"4\" checked");
		String[] garbage = BROKEN.clone();
		garbage[9] = "maybe";
		assertThat(this.visitor.submit("/lab/design", garbage).body()).contains(
				"Choose an answer to the question “Is the time that the acquisition took subtracted from the lease?”");
		Answer address = Visitor.of(site).get("/lab/design?nodes=1000000&quorum=x&fence=owner");
		assertThat(address.status()).isEqualTo(400);
		assertThat(address.body()).contains("Choose an answer to the question “Nodes”.",
				"name=\"fence\" value=\"owner\" checked");
		assertThat(Visitor.of(site).getJson("/lab/design?nodes=1000000&quorum=x").status()).isEqualTo(400);
	}

}
