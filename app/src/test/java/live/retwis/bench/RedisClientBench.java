package live.retwis.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import live.retwis.locks.nodes.testing.bench.Figure;
import live.retwis.redis.BulkScriptRunner;
import live.retwis.redis.DataNodeCommands;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.testing.Site;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;

/**
 * What it gives that pages and fan-out go past Spring Data's template. Both ways send the
 * same commands to the same Redis and take turns, two seconds each, in
 * {@code -Dbench.rounds} (5) rounds.
 */
class RedisClientBench {

	private static final int POSTS = 50;

	private static final int TIMELINES = 1000;

	/** Timelines of a call, as {@link BulkScriptRunner} has them. */
	private static final int OF_A_CALL = 100;

	/** Pages, or posts to fan out, at a time. */
	private static final int AT_ONCE = 20;

	/** Posts that one instance fans out at a time. */
	private static final int POSTS_BESIDE = 4;

	private static final LuaScript ADD = LuaScript.named("add-to-timeline");

	private static final String[] VALUES = { "800", "1790000000000", "0123456789ABC", "86400" };

	private static final Duration TURN = Duration.ofSeconds(2);

	private static final Duration BOUND = Duration.ofSeconds(60);

	@RegisterExtension
	static final BenchReport REPORT = new BenchReport("redis-client", "Past Spring Data's template",
			"RedisClientBench");

	@SuppressWarnings("NullAway.Init")
	private static Site site;

	private final int rounds = Integer.getInteger("bench.rounds", 5);

	private final ReactiveStringRedisTemplate template = site.bean(ReactiveStringRedisTemplate.class);

	@BeforeAll
	static void start() {
		site = Site.another();
	}

	@AfterAll
	static void stop() {
		site.close();
	}

	@Test
	void thePostsOfAPage() {
		List<String> keys = IntStream.range(0, POSTS).mapToObj((i) -> Keys.post("bench" + i)).toList();
		String[] fields = { "author", "username", "body", "created" };
		Map<String, String> post = Map.of("author", "0123456789ABC", "username", "somebody", "body",
				"A text of some length.", "created", "1790000000000");
		keys.forEach((key) -> this.template.opsForHash().putAll(key, post).block(BOUND));
		DataNodeCommands commands = site.bean(DataNodeCommands.class);
		compare("50 HMGET", () -> Mono.fromFuture(CompletableFuture
			.allOf(keys.stream().map((key) -> commands.sendHmget(key, fields)).toArray(CompletableFuture<?>[]::new))),
				() -> Flux.fromIterable(keys)
					.flatMapSequential((key) -> this.template.opsForHash().multiGet(key, List.of(fields)), POSTS)
					.then());
	}

	@Test
	void aPostForAThousandTimelines() {
		List<List<String>> timelines = timelines();
		compare("add-to-timeline for 1,000 timelines", () -> bulk(timelines), () -> byTemplate(timelines));
	}

	/** How long a command of a form takes while posts go into many timelines. */
	@Test
	void aCommandOfAFormBesideThem() {
		List<List<String>> timelines = timelines();
		List<Double> with = new ArrayList<>();
		List<Double> without = new ArrayList<>();
		List<Double> ratios = new ArrayList<>();
		for (int round = -1; round < this.rounds; round++) {
			double own = slowest(() -> bulk(timelines));
			double shared = slowest(() -> byTemplate(timelines));
			if (round >= 0) {
				with.add(own);
				without.add(shared);
				ratios.add(own / shared);
			}
		}
		String what = "p99 of a HGET by the template, beside posts for 1,000 timelines, ";
		REPORT.add(Figure.of(what + "which go past it", "ms", with));
		REPORT.add(Figure.of(what + "which go by it", "ms", without));
		REPORT.add(Figure.of(what + "which go past it", "× by the template", ratios));
	}

	private List<List<String>> timelines() {
		List<List<String>> timelines = IntStream.range(0, TIMELINES)
			.mapToObj((i) -> "bench" + i)
			.map((user) -> List.of(Keys.homeTimeline(user), Keys.homeCompleteFrom(user), Keys.homeChanges(user)))
			.toList();
		timelines.forEach((keys) -> this.template.opsForZSet().add(keys.get(0), "0000000000000", 1).block(BOUND));
		return timelines;
	}

	private Mono<Void> bulk(List<List<String>> timelines) {
		return site.bean(BulkScriptRunner.class).run(ADD, timelines, VALUES).then();
	}

	private Mono<Void> byTemplate(List<List<String>> timelines) {
		return Flux.fromIterable(timelines)
			.buffer(OF_A_CALL)
			.flatMap((call) -> ADD.run(this.template, call.stream().flatMap(List::stream).toList(), VALUES),
					TIMELINES / OF_A_CALL)
			.then();
	}

	/** 99 of 100 commands that are sent one after the other are faster, in ms. */
	private double slowest(Supplier<Mono<Void>> beside) {
		long begin = System.nanoTime();
		Disposable running = Flux.range(0, Integer.MAX_VALUE)
			.takeWhile((number) -> System.nanoTime() - begin < TURN.toNanos())
			.flatMap((number) -> beside.get(), POSTS_BESIDE)
			.subscribe();
		List<Double> millis = new ArrayList<>();
		while (!running.isDisposed()) {
			long asked = System.nanoTime();
			this.template.opsForHash().get(Keys.post("bench0"), "author").block(BOUND);
			millis.add((System.nanoTime() - asked) / 1e6);
		}
		return millis.stream().sorted().toList().get(millis.size() * 99 / 100);
	}

	private void compare(String what, Supplier<Mono<Void>> past, Supplier<Mono<Void>> byTemplate) {
		perSecond(past);
		perSecond(byTemplate);
		List<Double> with = new ArrayList<>();
		List<Double> without = new ArrayList<>();
		List<Double> ratios = new ArrayList<>();
		for (int round = 0; round < this.rounds; round++) {
			with.add(perSecond(past));
			without.add(perSecond(byTemplate));
			ratios.add(with.get(round) / without.get(round));
		}
		REPORT.add(Figure.of(what + ", past the template", "/s", with));
		REPORT.add(Figure.of(what + ", by the template", "/s", without));
		REPORT.add(Figure.of(what + ", past the template", "× the template", ratios));
	}

	private static double perSecond(Supplier<Mono<Void>> work) {
		long begin = System.nanoTime();
		Long done = Flux.range(0, Integer.MAX_VALUE)
			.takeWhile((number) -> System.nanoTime() - begin < TURN.toNanos())
			.flatMap((number) -> Mono.defer(work).thenReturn(number), AT_ONCE)
			.count()
			.block(BOUND);
		return ((done != null) ? done : 0) / ((System.nanoTime() - begin) / 1e9);
	}

}
