package live.retwis.account;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import live.retwis.web.RateLimitAddress;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

import static org.assertj.core.api.Assertions.assertThat;

class PasswordHasherTests {

	private static PasswordHasher passwords(Map<String, String> settings) {
		return new PasswordHasher(new Binder(new MapConfigurationPropertySource(settings))
			.bindOrCreate("retwis.passwords", PasswordCostProperties.class), true);
	}

	@Test
	void theCostIsTenByDefault() {
		assertThat(passwords(Map.of()).encode("a password").block()).startsWith("{bcrypt-sha}$2a$10$");
	}

	@Test
	void aPasswordStoredAtAnotherCostIsStillAccepted() {
		PasswordHasher now = passwords(Map.of("retwis.passwords.cost", "5"));
		String former = passwords(Map.of("retwis.passwords.cost", "4")).encode("a password").block();
		assertThat(former).isNotNull();
		assertThat(now.matches("a password", former).block()).isTrue();
		assertThat(now.matches("another one", former).block()).isFalse();
		assertThat(now.encode("a password").block()).startsWith("{bcrypt-sha}$2a$05$");
	}

	@Test
	void everyCharacterOfALongPasswordCounts() {
		PasswordHasher passwords = passwords(Map.of("retwis.passwords.cost", "4"));
		String encoded = passwords.encode("\u00fc".repeat(127) + "a").block();
		assertThat(encoded).isNotNull();
		assertThat(passwords.matches("\u00fc".repeat(127) + "a", encoded).block()).isTrue();
		assertThat(passwords.matches("\u00fc".repeat(127) + "b", encoded).block()).isFalse();
	}

	@Test
	void aPasswordOfAnEarlierReleaseIsAcceptedAndEncodedAnew() {
		PasswordHasher passwords = passwords(Map.of("retwis.passwords.cost", "4"));
		String short72 = "x".repeat(72);
		String former = "{bcrypt}" + new BCryptPasswordEncoder(4).encode(short72);
		assertThat(passwords.matches(short72, former).block()).isTrue();
		assertThat(passwords.matches(short72 + "y", former).block()).as("the end that bcrypt does not read").isFalse();
		assertThat(passwords.isOutdated(former)).isTrue();
	}

	@Test
	void onlyAPasswordStoredAtALowerCostIsOutdated() {
		PasswordHasher passwords = passwords(Map.of("retwis.passwords.cost", "5"));
		assertThat(passwords.encodeQuickly("a password").map(passwords::isOutdated).block()).isTrue();
		assertThat(passwords.encode("a password").map(passwords::isOutdated).block()).isFalse();
		assertThat(
				passwords(Map.of("retwis.passwords.cost", "6")).encode("a password").map(passwords::isOutdated).block())
			.isFalse();
	}

	@Test
	void knownBrowsersDoNotWaitForStrangers() {
		PasswordHasher passwords = passwords(Map.of("retwis.passwords.cost", "8"));
		List<Mono<String>> strangers = IntStream.range(0, 60)
			.mapToObj((i) -> passwords.encode("a password")
				.contextWrite(Context.of(RateLimitAddress.class, "10.0.0." + i)))
			.toList();
		AtomicInteger done = new AtomicInteger();
		Mono<Void> all = Flux.merge(strangers).doOnNext((encoded) -> done.incrementAndGet()).then().cache();
		all.subscribe();
		passwords.encode("a password")
			.contextWrite(PasswordHasher.KNOWN_BROWSER)
			.contextWrite(Context.of(RateLimitAddress.class, "10.0.1.0"))
			.block();
		assertThat(done).hasValueLessThan(20);
		all.block();
		assertThat(done).hasValue(60);
	}

}
