package live.retwis.importing;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import live.retwis.testing.Site;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** An old Redis may have values of many megabytes. */
class RetwisLayoutTests {

	private static RetwisLayout layout(int year, RetwisKeyReader keys) {
		Function<RetwisKeyReader, RetwisLayout> of = (year == 2011) ? Layout2011::new : Layout2014::new;
		return of.apply(keys);
	}

	@ParameterizedTest
	@ValueSource(ints = { 2011, 2014 })
	void fewPostsAreReadAtTheSameTime(int year) {
		AtomicInteger reading = new AtomicInteger();
		Keys keys = new Keys(Mono.<List<String>>never().doOnSubscribe((begun) -> reading.incrementAndGet()));
		layout(year, keys).posts().subscribe().dispose();
		assertThat(reading).hasValueBetween(1, 4);
	}

	@Test
	void lineEndsThatBecomeShorterMakeNoTextTooLong() {
		assertThat(new RetwisPost(1, "1", "1", "a line\r\n".repeat(2_800)).isCut()).isFalse();
		assertThat(new RetwisPost(1, "1", "1", "x".repeat(40_001)).isCut()).isTrue();
	}

	@ParameterizedTest
	@ValueSource(ints = { 2011, 2014 })
	void aPostThatIsTooLongDoesNotStayInMemory(int year) {
		String huge = "\ud83d\ude00".repeat(1_000_000);
		Keys keys = new Keys(
				Mono.just((year == 2011) ? List.of(huge + "|" + huge + "|" + huge) : Collections.nCopies(3, huge)));
		StepVerifier.create(layout(year, keys).posts(), 1).assertNext((post) -> {
			assertThat(post.author()).hasSizeLessThan(100_000);
			assertThat(post.time()).hasSizeLessThan(100_000);
			assertThat(post.body().codePointCount(0, post.body().length())).isEqualTo(40_000);
		}).thenCancel().verify();
	}

	@ParameterizedTest
	@ValueSource(ints = { 2011, 2014 })
	void fewUsersAreReadAtTheSameTime(int year) {
		AtomicInteger reading = new AtomicInteger();
		RetwisLayout layout = layout(year,
				new Keys(Mono.<List<String>>never().doOnSubscribe((begun) -> reading.incrementAndGet())));
		ImportedUserIndex users = Objects.requireNonNull(ImportedUserIndex.of(layout).block());
		Disposable run = Site.shared()
			.bean(UserImport.class)
			.run(layout, Long.MAX_VALUE, users, new ImportCounts(20_000))
			.subscribe();
		Awaitility.await()
			.during(Duration.ofMillis(200))
			.atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThat(reading).hasValueBetween(1, 4));
		run.dispose();
	}

	@ParameterizedTest
	@ValueSource(ints = { 2011, 2014 })
	void aNameOrPasswordThatNoFormCanHaveDoesNotStayInMemory(int year) {
		Keys keys = new Keys(Mono.just(Collections.nCopies(2, "x".repeat(1_000_000))));
		StepVerifier.create(layout(year, keys).user(1)).assertNext((user) -> {
			assertThat(user.name()).hasSize(65_536);
			assertThat(user.password()).hasSize(65_536);
		}).verifyComplete();
	}

	/** A thousand posts or users, each of them with these values. */
	private static final class Keys extends RetwisKeyReader {

		private final Mono<List<String>> stored;

		Keys(Mono<List<String>> stored) {
			super(new ReactiveStringRedisTemplate(new LettuceConnectionFactory()));
			this.stored = stored;
		}

		@Override
		Flux<Long> numbers(String prefix) {
			return Flux.range(1, 1000).map(Integer::longValue);
		}

		@Override
		Mono<List<String>> fields(String key, String... names) {
			return this.stored;
		}

		@Override
		Mono<List<String>> values(String... keys) {
			return this.stored;
		}

		@Override
		Mono<String> score(String key, String member) {
			return Mono.just("");
		}

	}

}
