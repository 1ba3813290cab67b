package live.retwis.account;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;

import jakarta.annotation.PreDestroy;
import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.web.ProblemException;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.http.HttpStatus;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.stereotype.Component;

/**
 * Encodes and checks passwords with bcrypt. Each takes about 70 ms of a core, in which an
 * event loop could serve many pages, so it runs on separate threads. Their queue is
 * bounded. When it is full, the answer is 503.
 */
@Component
class PasswordHasher {

	/** Shorter passwords are guessed too quickly. */
	static final int MIN_LENGTH = 8;

	/** bcrypt ignores further bytes, so a longer password would only seem safer. */
	static final int MAX_BYTES = 72;

	/** About 5 s of waiting on one core. */
	private static final int QUEUE = 64;

	/** The lowest cost that bcrypt has. It takes about 1 ms. */
	private static final int QUICK = 4;

	private final PasswordEncoder encoder;

	private final PasswordEncoder quickEncoder = encoder(QUICK);

	private final Scheduler threads = Schedulers.newBoundedElastic(Runtime.getRuntime().availableProcessors(), QUEUE,
			"password");

	private final String dummyHash;

	PasswordHasher(PasswordCostProperties properties) {
		this.encoder = encoder(properties.cost());
		this.dummyHash = this.encoder.encode("nobody has this password");
	}

	private static PasswordEncoder encoder(int cost) {
		return new DelegatingPasswordEncoder("bcrypt", Map.of("bcrypt", new BCryptPasswordEncoder(cost)));
	}

	/** What is wrong with a new password; null for nothing. */
	static @Nullable Localized fault(String password) {
		if (password.codePointCount(0, password.length()) < MIN_LENGTH) {
			return Message.of("register.password-short", MIN_LENGTH);
		}
		return isTooLong(password) ? Message.of("register.password-long", MAX_BYTES) : null;
	}

	static boolean isTooLong(String password) {
		return password.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES;
	}

	Mono<String> encode(String password) {
		return offEventLoop(() -> this.encoder.encode(password));
	}

	/**
	 * Encodes at the lowest cost, for many passwords at once. At the first log-in the
	 * password is encoded again.
	 */
	Mono<String> encodeQuickly(String password) {
		return offEventLoop(() -> this.quickEncoder.encode(password));
	}

	/** Whether the password was encoded at a lower cost than passwords are now. */
	boolean isOutdated(String encoded) {
		return this.encoder.upgradeEncoding(encoded);
	}

	/** Whether the password is the one that was encoded. */
	Mono<Boolean> matches(String password, String encoded) {
		return offEventLoop(() -> !isTooLong(password)
				&& (this.encoder.matches(password, encoded) || takesAsLong(password, encoded)));
	}

	/**
	 * A wrong password takes as long for all users, so that nobody learns whose is
	 * encoded at a lower cost.
	 * @return false
	 */
	private boolean takesAsLong(String password, String encoded) {
		if (isOutdated(encoded)) {
			this.encoder.matches(password, this.dummyHash);
		}
		return false;
	}

	/**
	 * Takes as long as checking a real password, so that an unknown user cannot be told
	 * from a wrong password.
	 */
	Mono<Boolean> matchesNobody(String password) {
		return matches(password, this.dummyHash).thenReturn(false);
	}

	private <T> Mono<T> offEventLoop(java.util.concurrent.Callable<T> work) {
		return Mono.fromCallable(work)
			.subscribeOn(this.threads)
			.onErrorMap(RejectedExecutionException.class,
					(ex) -> new ProblemException(HttpStatus.SERVICE_UNAVAILABLE, Message.of("login.busy")));
	}

	@PreDestroy
	void close() {
		this.threads.dispose();
	}

}
