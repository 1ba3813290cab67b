package live.retwis.account;

import java.util.Map;

import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

class PasswordHasherTests {

	private static PasswordHasher passwords(Map<String, String> settings) {
		return new PasswordHasher(new Binder(new MapConfigurationPropertySource(settings))
			.bindOrCreate("retwis.passwords", PasswordCostProperties.class));
	}

	@Test
	void theCostIsTenByDefault() {
		assertThat(passwords(Map.of()).encode("a password").block()).startsWith("{bcrypt}$2a$10$");
	}

	@Test
	void aPasswordStoredAtAnotherCostIsStillAccepted() {
		PasswordHasher now = passwords(Map.of("retwis.passwords.cost", "5"));
		String former = passwords(Map.of("retwis.passwords.cost", "4")).encode("a password").block();
		assertThat(former).isNotNull();
		assertThat(now.matches("a password", former).block()).isTrue();
		assertThat(now.matches("another one", former).block()).isFalse();
		assertThat(now.encode("a password").block()).startsWith("{bcrypt}$2a$05$");
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

}
