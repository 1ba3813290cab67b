package live.retwis.timeline;

import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.redis.RedisErrorClassifier;
import live.retwis.testing.RedisRelease;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * A script for home timelines is held on its way to Redis. The worker that sent it gives
 * up and repeats it, and goes on to later entries. Then the first one arrives.
 */
@ExtendWith(RedisExtension.class)
class LateTimelineScriptTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private static final String NO_WORKER = "--retwis.fan-out.worker=false";

	private static final String IMPATIENT = "--spring.data.redis.timeout=1s";

	private static final Pattern TIME = Pattern.compile("(\\*2\r\n\\$10\r\n)(\\d{10})(\r\n.*)", Pattern.DOTALL);

	private static final String THERE = "0BBBBBBBBBBBB";

	private static final String NEW = "0CCCCCCCCCCCC";

	@Test
	@Tag("slow")
	@Tag("long")
	void aLateScriptChangesNothing(@OwnRedis TestRedis redis) {
		assertLateScriptsChangeNothing(redis.host(), redis.port());
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aLateScriptChangesNothingInTheOldestRedis() {
		try (RedisProcess redis = RedisRelease.OLDEST.start()) {
			assertLateScriptsChangeNothing("127.0.0.1", redis.port());
		}
	}

	private static void assertLateScriptsChangeNothing(String host, int port) {
		try (FaultProxy way = FaultProxy.to(host, port);
				Site site = Site.startAt(host, port, NO_WORKER);
				Site slow = Site.startAt("127.0.0.1", way.port(), NO_WORKER, IMPATIENT)) {
			HomeTimelineWriter timelines = site.bean(HomeTimelineWriter.class);
			HomeTimelineWriter late = slow.bean(HomeTimelineWriter.class);
			String reader = Visitor.registered(site).id();
			String key = Keys.homeTimeline(reader);
			timelines.announce(reader, "maker")
				.then(timelines.begin(reader, "maker", List.of(new Cursor(1000, THERE)), null))
				.block(BOUND);
			for (Mono<?> script : List.of(late.add(List.of(reader), NEW, 2000), late.remove(reader, List.of(THERE)),
					late.merge(reader, new NewestPostRange(List.of(new Cursor(2000, NEW)), null)))) {
				String other = Visitor.registered(site).id();
				warmUp(timelines, other);
				try (Interception held = way.at(SentCommand.named("EVALSHA").and(SentCommand.with(key)))
					.holdCommand()) {
					assertThatException().isThrownBy(() -> script.block(BOUND)).matches(RedisErrorClassifier::isAway);
					held.awaitMet();
				}
				// The connection answers in order, so the script has run by then.
				Awaitility.await()
					.atMost(BOUND)
					.ignoreExceptions()
					.until(() -> late.merge(other, new NewestPostRange(List.of(), null)).block(BOUND) != null);
				assertThat(site.redis().zrange(key, 0, -1)).containsExactly(THERE);
			}
		}
	}

	/** So that Redis knows the scripts. */
	private static void warmUp(HomeTimelineWriter timelines, String reader) {
		timelines.add(List.of(reader), NEW, 2000)
			.then(timelines.remove(reader, List.of(NEW)))
			.then(timelines.merge(reader, new NewestPostRange(List.of(), null)))
			.block(BOUND);
	}

	/**
	 * As after a fail-over to a node whose clock is ahead of the one that was measured.
	 */
	@Test
	@Tag("slow")
	@Tag("long")
	void aClockThatWasMeasuredWrongMakesNoScriptFail(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Interception behind = way.at(SentCommand.named("EVALSHA", "EVAL").and(SentCommand.with(Keys.LOG)))
					.rewriteReply(LateTimelineScriptTests::earlier);
				Site site = Site.startAt("127.0.0.1", way.port())) {
			Visitor author = Visitor.registered(site);
			List<Visitor> readers = List.of(Visitor.registered(site), Visitor.registered(site));
			readers.forEach((reader) -> reader.follow(author));
			author.post("seen by all");
			readers.forEach((reader) -> assertThat(reader.get("/home").posts()).containsExactly("seen by all"));
			HomeTimelineWriter timelines = site.bean(HomeTimelineWriter.class);
			assertThat(timelines.add(readers.stream().map(Visitor::id).toList(), NEW, 2000).block(BOUND)).isNotNull();
			assertThat(behind.met()).isPositive();
		}
	}

	/** Takes an hour from an answer that is a time. Other answers stay as they are. */
	private static String earlier(String answer) {
		Matcher matcher = TIME.matcher(answer);
		return !matcher.matches() ? answer
				: matcher.group(1) + (Long.parseLong(matcher.group(2)) - 3600) + matcher.group(3);
	}

}
