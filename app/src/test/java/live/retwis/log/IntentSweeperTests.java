package live.retwis.log;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.Site;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import org.springframework.data.domain.Range;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** The sweep after a power cut, when many writes are unfinished at once. */
@ExtendWith(RedisExtension.class)
class IntentSweeperTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private static final int UNFINISHED = 250;

	private static final int MOST_TAKEN = 100;

	private static final int MOST_AT_ONCE = 8;

	@Test
	void manyUnfinishedWritesAreFinishedOnceEachWithABoundOnWhatIsTakenAtATime(@OwnRedis TestRedis redis) {
		try (Site site = Site.start(redis, "--retwis.fan-out.worker=false")) {
			List<String> subjects = IntStream.range(0, UNFINISHED).mapToObj((i) -> "user" + i).toList();
			subjects.forEach((subject) -> site.redis()
				.zadd(Keys.INTENTS, 1, Intent.of(Intent.Kind.PROFILE, subject, "-").text()));
			CountingRecovery counting = new CountingRecovery(site.bean(ReactiveStringRedisTemplate.class));
			new IntentSweeper(site.bean(Intents.class), List.of(counting)).run().block(BOUND);
			assertThat(counting.finished).containsExactlyInAnyOrderElementsOf(subjects);
			assertThat(counting.mostTaken).hasValue(MOST_TAKEN);
			assertThat(counting.mostAtOnce).hasValueBetween(2, MOST_AT_ONCE);
			assertThat(site.redis().zrange(Keys.INTENTS, 0, -1)).as("only second checks")
				.hasSize(UNFINISHED)
				.allMatch((intent) -> intent.startsWith(Intent.SECOND_CHECK));
		}
	}

	/** Counts what the sweep has taken, and what it finishes at the same time. */
	private static final class CountingRecovery implements IntentRecovery {

		private static final Duration WORK = Duration.ofMillis(5);

		private final ReactiveStringRedisTemplate redis;

		private final Queue<String> finished = new ConcurrentLinkedQueue<>();

		private final AtomicInteger atOnce = new AtomicInteger();

		private final AtomicInteger mostAtOnce = new AtomicInteger();

		private final AtomicInteger mostTaken = new AtomicInteger();

		private CountingRecovery(ReactiveStringRedisTemplate redis) {
			this.redis = redis;
		}

		@Override
		public Set<Intent.Kind> kinds() {
			return Set.of(Intent.Kind.PROFILE);
		}

		@Override
		public Mono<Void> finish(Intent intent) {
			this.finished.add(intent.subject());
			this.mostAtOnce.accumulateAndGet(this.atOnce.incrementAndGet(), Math::max);
			return this.redis.opsForZSet()
				.range(Keys.INTENTS, Range.unbounded())
				.filter((text) -> text.startsWith(Intent.TAKEN))
				.count()
				.doOnNext((taken) -> this.mostTaken.accumulateAndGet(taken.intValue(), Math::max))
				.then(Mono.delay(WORK))
				.doOnNext((tick) -> this.atOnce.decrementAndGet())
				.then();
		}

	}

}
