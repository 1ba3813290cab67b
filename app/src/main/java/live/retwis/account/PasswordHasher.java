package live.retwis.account;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

import jakarta.annotation.PreDestroy;
import live.retwis.i18n.Message;
import live.retwis.web.ProblemException;
import live.retwis.web.RateLimitAddress;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.stereotype.Component;

/**
 * Encodes and checks passwords with bcrypt. Each takes about 70 ms of a core, in which an
 * event loop could serve many pages, so it runs on separate threads. Clients take turns.
 * Their queue is bounded. When it is full, the answer is 503. Browsers that were logged
 * in before have threads and a queue of their own, so that they do not wait for
 * strangers, however many these are.
 */
@Component
class PasswordHasher {

	/** What bcrypt reads of a password. */
	private static final int BCRYPT_BYTES = 72;

	/** About 5 s of waiting on one core. */
	private static final int QUEUE = 64;

	private static final int RETRY_AFTER_SECONDS = 2;

	/** Most passwords that wait for one client's address. */
	private static final int QUEUE_OF_CLIENT = 4;

	private static final String KNOWN_KEY = PasswordHasher.class.getName() + ".known";

	/** The context of work for a browser that was logged in before. */
	static final Context KNOWN_BROWSER = Context.of(KNOWN_KEY, true);

	private static final int CORES = Runtime.getRuntime().availableProcessors();

	/** Strangers who guess leave a core to pages. */
	private static final int CORES_OF_STRANGERS = Math.max(1, CORES - 1);

	/** The lowest cost that bcrypt has. It takes about 1 ms. */
	private static final int QUICK = 4;

	private final PasswordEncoder bcrypt;

	private final PasswordEncoder encoder;

	private final PasswordEncoder quickEncoder = encoder(QUICK);

	private final ExecutorService threads = threads();

	private final FairExecutor known;

	private final FairExecutor strangers;

	private final String dummyHash;

	/**
	 * Starts the threads.
	 * @param limited whether one client may wait for a few passwords only
	 */
	PasswordHasher(PasswordCostProperties properties, @Value("${retwis.limits.enabled:true}") boolean limited) {
		int ofClient = limited ? QUEUE_OF_CLIENT : QUEUE;
		this.known = new FairExecutor(this.threads, CORES, ofClient, QUEUE);
		this.strangers = new FairExecutor(this.threads, CORES_OF_STRANGERS, ofClient, QUEUE);
		this.bcrypt = new DigestBCryptPasswordEncoder(properties.cost());
		this.encoder = encoder(properties.cost());
		this.dummyHash = this.encoder.encode("nobody has this password");
	}

	private static ExecutorService threads() {
		CustomizableThreadFactory threads = new CustomizableThreadFactory("password-");
		threads.setDaemon(true);
		return Executors.newFixedThreadPool(CORES + CORES_OF_STRANGERS, threads);
	}

	/** Earlier releases encoded with {@code bcrypt} the password itself. */
	private static PasswordEncoder encoder(int cost) {
		return new DelegatingPasswordEncoder("bcrypt-sha",
				Map.of("bcrypt-sha", new DigestBCryptPasswordEncoder(cost), "bcrypt", new BCryptPasswordEncoder(cost)));
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

	/**
	 * Whether the password was encoded in another way, or at a lower cost, than passwords
	 * are now.
	 */
	boolean isOutdated(String encoded) {
		return this.encoder.upgradeEncoding(encoded);
	}

	/** Whether the password is the one that was encoded. */
	Mono<Boolean> matches(String password, String encoded) {
		return offEventLoop(() -> this.encoder.matches(password, encoded) ? !isCut(password, encoded)
				: takesAsLong(password, encoded));
	}

	/** Whether only the beginning of the password was compared. */
	private static boolean isCut(String password, String encoded) {
		return encoded.startsWith("{bcrypt}") && password.getBytes(StandardCharsets.UTF_8).length > BCRYPT_BYTES;
	}

	/**
	 * A wrong password takes as long for all users, so that nobody learns whose is
	 * encoded at a lower cost.
	 * @return false
	 */
	private boolean takesAsLong(String password, String encoded) {
		if (this.bcrypt.upgradeEncoding(encoded.substring(encoded.indexOf('}') + 1))) {
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

	/**
	 * The context names the client's address, under {@link RateLimitAddress}. Work
	 * without one is the site's own and does not wait for strangers.
	 */
	private <T> Mono<T> offEventLoop(Callable<T> work) {
		return Mono.deferContextual((context) -> {
			String address = context.<String>getOrEmpty(RateLimitAddress.class).orElse("");
			boolean stranger = !address.isEmpty() && !context.hasKey(KNOWN_KEY);
			return Mono.fromFuture((stranger ? this.strangers : this.known).run(address, work));
		})
			.onErrorResume(RejectedExecutionException.class,
					(full) -> ProblemException.later(Message.of("login.busy"), RETRY_AFTER_SECONDS));
	}

	@PreDestroy
	void close() {
		this.threads.shutdownNow();
	}

}
