package live.retwis.attack;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import live.retwis.attack.HonestCrowd.Measured;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * All known attacks at once on an instance with its default settings.
 * {@code -Dchaos.attack=1} attacks for one minute instead of five.
 */
@Timeout(1200)
class AttackChaos {

	private static final Logger log = LoggerFactory.getLogger(AttackChaos.class);

	private static final Duration TIME = Duration.ofMinutes(Integer.getInteger("chaos.attack", 5));

	private static final Duration SOON = Duration.ofMinutes(1);

	/**
	 * A connection that is not read because its client does not read either is closed
	 * after 60 s without a byte, also when the client is gone.
	 */
	private static final Duration BACK = Duration.ofSeconds(90);

	private static final Duration LIFE = Duration.ofHours(1);

	/** Pages that warm up the instance before anything is measured. */
	private static final int WARM_UP = 500;

	/** Milliseconds. */
	private static final int MOST_P99 = 1_000;

	/**
	 * Seconds. The slowest rate is that of wrong passwords for a name, 60 in a day.
	 */
	private static final int LONGEST_COUNT = 25 * 3_600;

	/** The start, and a few lines a minute. In kB. */
	private static final int MOST_LOG = 50;

	/** A post with its log entries, its places in 50 timelines and its likes. */
	private static final int KB_OF_A_POST = 8;

	private static final int KEYS_OF_A_POST = 4;

	/**
	 * What the limits let through: some accounts, posts and sessions, and a count for
	 * each client and rule.
	 */
	private static final int OTHER_KEYS = 500;

	private static final int KB_OF_OTHER_KEYS = 2_000;

	/** A wrong password counts for the name, and for the name from this address. */
	private static final int KEYS_OF_A_GUESS = 2;

	@Test
	void honestUsersDoNotNoticeAnAttackAndNothingOfItStays() {
		try (AttackedSite attacked = AttackedSite.start();
				HonestCrowd crowd = HonestCrowd.start(attacked.site().origin(), () -> LIFE)) {
			String origin = attacked.site().origin();
			Person owner = crowd.other(origin, "127.0.1.20");
			Person flooder = crowd.other(origin, "127.0.1.21");
			Person stranger = crowd.other(origin, "127.0.1.22");
			stranger.loseSession();
			stranger.get("/login").block(SOON);
			crowd.awaitPages(WARM_UP);
			Footprint before = attacked.footprint();
			int posts = crowd.posts();
			crowd.measureAnew();
			Measured during;
			int guesses;
			Set<String> hostile;
			try (Attackers attackers = new Attackers(origin, crowd.victim(), owner, flooder, stranger)) {
				attackers.attack(TIME);
				during = crowd.measured();
				guesses = attackers.guesses();
				hostile = attackers.addresses();
				log.info("{}\n{}\n{} troubles, {} opened streams, {} kB of log\nbefore: {}\nin the attack: {}",
						attackers.table(), during, crowd.troubles().size(), crowd.opened(), attacked.logSize(), before,
						attacked.footprint());
				attackers.assertThatLimitsHeld();
			}
			List<String> troubles = crowd.troubles();
			crowd.assertThatStreamsHaveEachPostOnce();
			int more = crowd.posts() - posts;
			Awaitility.await("the instance as before")
				.atMost(BACK)
				.pollInterval(BACK.dividedBy(9))
				.untilAsserted(() -> {
					Footprint grown = attacked.footprint().since(before);
					log.info("after: {}, {} more posts, {} guesses, keys: {}", grown, more, guesses,
							attacked.keysByKind());
					assertThat(grown.heap()).as("kB of heap").isLessThan(10_000);
					assertThat(grown.direct()).as("kB of buffers").isLessThan(10_000);
					assertThat(grown.files()).as("files").isLessThan(10);
					assertThat(attacked.clients()).as("connections").doesNotContainAnyElementsOf(hostile);
					// The JVM keeps the heap that it once needed, 192 MB at most.
					assertThat(grown.resident()).as("kB of memory").isLessThan(150_000);
					// A wrong password is forgotten after 24 and after 72 minutes.
					assertThat(grown.keys()).as("keys, of which there are %s", attacked.keysByKind())
						.isLessThan((long) KEYS_OF_A_POST * more + KEYS_OF_A_GUESS * guesses + OTHER_KEYS);
					assertThat(grown.redis()).as("kB of Redis")
						.isLessThan((long) KB_OF_A_POST * more + guesses + KB_OF_OTHER_KEYS);
				});
			assertThat(troubles).isEmpty();
			assertThat(attacked.lifeOfCounts()).as("s until counts are forgotten")
				.isNotEmpty()
				.allMatch((seconds) -> seconds >= -2 && seconds != -1 && seconds <= LONGEST_COUNT);
			assertThat(attacked.logSize()).as("kB of log").isLessThan(MOST_LOG);
			assertThat(during.pageP99()).isLessThan(MOST_P99);
			assertThat(during.loginP99()).isLessThan(MOST_P99);
			// At the begin each of the attackers' addresses has its turn before a new
			// browser's.
			assertThat(during.newDeviceP95()).isLessThan(MOST_P99);
		}
	}

}
