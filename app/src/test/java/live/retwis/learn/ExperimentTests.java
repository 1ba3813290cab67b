package live.retwis.learn;

import java.io.IOException;
import java.util.List;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.learn.TranscriptStep.Lane;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Each experiment ends as its text says, on real Redis servers.
 */
@Timeout(30)
class ExperimentTests {

	private List<TranscriptStep> steps = List.of();

	private void play(Experiment experiment) throws IOException {
		try (ExperimentContext context = new ExperimentContext()) {
			experiment.play(context);
			this.steps = context.steps();
		}
	}

	@SuppressWarnings("NullAway")
	private static String verbatim(Localized text) {
		return text.in(null);
	}

	/** The answer of the step whose note has the key. */
	private String answer(String note) {
		return this.steps.stream()
			.filter((step) -> step.note().equals(Message.of("learn." + note)))
			.map((step) -> verbatim(step.answer()))
			.findFirst()
			.orElseThrow();
	}

	private long number(String note) {
		return Long.parseLong(answer(note).replace("(integer) ", ""));
	}

	@Test
	void aNameThatIsTakenStaysWithItsOwnerAndAFormSentAgainMakesNothing() throws IOException {
		play(new StringExperiment());
		assertThat(answer("strings.free")).isEqualTo("OK");
		assertThat(answer("strings.taken")).isEqualTo("(nil)");
		assertThat(answer("strings.whose")).isEqualTo("\"user-1\"");
		assertThat(answer("strings.again")).isEqualTo("(nil)");
		assertThat(answer("strings.answer-step")).isEqualTo("\"post-1\"");
		assertThat(number("strings.ttl")).isBetween(3590L, 3600L);
	}

	@Test
	void aHashTakesLessRoomThanAKeyForEachField() throws IOException {
		play(new HashExperiment());
		assertThat(answer("hashes.encoding")).isIn("\"listpack\"", "\"ziplist\"");
		assertThat(number("hashes.strings-size")).isGreaterThan(2 * number("hashes.size"));
		assertThat(answer("hashes.over")).isEqualTo("\"2\"");
	}

	@Test
	void aListShowsAPostTwiceAndASortedSetDoesNot() throws IOException {
		play(new ListExperiment());
		assertThat(answer("lists.first-page")).isEqualTo("1) \"post-4\"\n2) \"post-3\"");
		assertThat(answer("lists.second-page")).isEqualTo("1) \"post-3\"\n2) \"post-2\"");
		assertThat(answer("lists.twice")).startsWith("1) \"post-5\"\n2) \"post-5\"\n");
		assertThat(answer("lists.add-again")).isEqualTo("(integer) 0");
		assertThat(answer("lists.after-cursor")).isEqualTo("1) \"post-2\"\n2) \"post-1\"");
	}

	@Test
	void anIntersectionFindsWhomTwoKnowAndACapLeavesTheNewest() throws IOException {
		play(new SortedSetExperiment());
		assertThat(answer("sets.add")).isEqualTo("(integer) 2");
		assertThat(answer("sets.repeat")).isEqualTo("(integer) 0");
		assertThat(answer("sets.intersection")).isEqualTo("1) \"cho\"\n2) \"dan\"");
		assertThat(answer("sets.since")).isEqualTo("\"1002\"");
		assertThat(answer("sets.left")).isEqualTo("1) \"dan\"\n2) \"fay\"");
	}

	@Test
	void aMessageThatNobodyHeardIsInTheLogAndADeadWorkersEntryIsClaimed() throws IOException {
		play(new StreamExperiment());
		assertThat(answer("streams.publish")).isEqualTo("(integer) 1");
		assertThat(answer("streams.heard")).contains("\"message\"", "\"{live}:bus\"", "\"post-1\"");
		assertThat(answer("streams.unheard")).isEqualTo("(integer) 0");
		assertThat(answer("streams.missed")).contains("\"post-2\"").doesNotContain("\"post-1\"");
		assertThat(answer("streams.pending")).contains("\"worker-b\"");
		assertThat(answer("streams.claim")).contains("\"post-1\"");
		assertThat(answer("streams.done")).isEqualTo("(integer) 1");
	}

	@Test
	void anIncrementWithGetAndSetIsLostAndNoneOfTheOthersIs() throws IOException {
		play(new LostIncrementExperiment());
		assertThat(answer("atomicity.lost")).isEqualTo("\"11\"");
		assertThat(answer("atomicity.queued")).isEqualTo("QUEUED");
		assertThat(answer("atomicity.between")).isEqualTo("(integer) 11");
		assertThat(answer("atomicity.exec")).isEqualTo("1) (integer) 12\n2) \"12\"");
		assertThat(answer("atomicity.refused")).isEqualTo("(nil)");
		assertThat(answer("atomicity.not-lost")).isEqualTo("\"13\"");
		assertThat(answer("atomicity.right")).isEqualTo("\"15\"");
	}

	@Test
	void aKeyEndsByItselfUnlessItsTimeGetsLostAndACacheIsTold() throws IOException {
		play(new ExpiryAndInvalidationExperiment());
		assertThat(number("expiry.left")).isBetween(1L, 300L);
		assertThat(answer("expiry.gone")).isEqualTo("(nil)");
		assertThat(answer("expiry.lost")).isEqualTo("(integer) -1");
		assertThat(answer("expiry.cache")).isEqualTo("\"Ann\"");
		assertThat(answer("expiry.drop")).contains("\"profile ann\"");
		assertThat(answer("expiry.reread")).isEqualTo("\"Anna\"");
	}

	@Test
	void keysWithTheSameTagLieInOneSlotAndOthersCannotBeInOneCommand() throws IOException {
		play(new SlotExperiment());
		assertThat(answer("sharding.log")).isEqualTo(answer("sharding.public")).isEqualTo(answer("sharding.tag"));
		assertThat(answer("sharding.user")).isNotEqualTo(answer("sharding.following"));
		assertThat(answer("sharding.from-ann")).isEqualTo(answer("sharding.timeline-ann"))
			.isNotEqualTo(answer("sharding.timeline-bob"));
		assertThat(answer("sharding.refused")).startsWith("(error) CROSSSLOT");
		assertThat(answer("sharding.together")).isEqualTo("1) (nil)\n2) (nil)");
	}

	@Test
	void pushingTakesManyWritesAndATimelineKeepsItsCap() throws IOException {
		play(new HomeTimelineExperiment());
		assertThat(answer("timelines.push")).isEqualTo("(integer) 10000");
		assertThat(answer("timelines.pulled")).isEqualTo("(integer) 1");
		assertThat(number("timelines.memory")).isPositive();
		assertThat(answer("timelines.cap")).isEqualTo("(integer) 3");
		assertThat(answer("timelines.rebuilt")).isEqualTo("(integer) 2");
	}

	@Test
	void aKilledServerHasWhatItsFileHasAndAPromotedReplicaLacksTheLastWrite() throws IOException {
		play(new CrashExperiment());
		assertThat(answer("persistence.policy")).contains("\"everysec\"");
		assertThat(answer("persistence.write")).isEqualTo("(integer) 1000");
		assertThat(answer("persistence.left")).isEqualTo("(integer) 1000");
		assertThat(answer("persistence.write-memory")).isEqualTo("(integer) 1000");
		assertThat(answer("persistence.nothing")).isEqualTo("(integer) 0");
		assertThat(answer("persistence.confirmed")).isEqualTo("(integer) 1");
		assertThat(answer("persistence.second")).isEqualTo("OK");
		assertThat(answer("persistence.unconfirmed")).isEqualTo("(integer) 0");
		assertThat(answer("persistence.lost")).isEqualTo("1) \"first\"\n2) (nil)");
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void anExperimentThatHangsIsEndedAfterTenSeconds() {
		long begin = System.nanoTime();
		assertThatIOException().isThrownBy(() -> play((context) -> context.a(context.servers().start())
			.does(Localized.verbatim(""), "BLPOP", "nothing", "0")));
		assertThat(System.nanoTime() - begin).isBetween(9_500_000_000L, 20_000_000_000L);
	}

	@Test
	void aReplyIsShownAsRedisCliPrintsIt() {
		RespReply inner = new RespReply('*', "", List.of(RespReply.of('$', "a \"b\""), RespReply.NOTHING));
		assertThat(new RespReply('*', "", List.of(RespReply.of(':', "1"), inner, RespReply.of('-', "ERR no"))).text())
			.isEqualTo("1) (integer) 1\n2) 1) \"a \\\"b\\\"\"\n   2) (nil)\n3) (error) ERR no");
		assertThat(Lane.WORLD.word()).isEqualTo("world");
	}

}
