package live.retwis.live;

import java.time.Duration;
import java.util.List;

import live.retwis.redis.LogEntry;
import live.retwis.redis.LogEntry.Type;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;

import static live.retwis.live.Entries.frame;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * One stream and its bounded buffer.
 */
class SubscriberTests {

	private static final int CAPACITY = 8;

	private static final Duration LIMIT = Duration.ofSeconds(5);

	private final Subscriber home = new Subscriber(Interest.home("bob"), CAPACITY);

	@Test
	void givesEventsInTheOrderTheyWereOffered() {
		StepVerifier.create(this.home.events().map(Entries::text)).then(() -> {
			this.home.offer(frame(1));
			this.home.offer(frame(2));
		}).expectNext("frame 1", "frame 2").thenCancel().verify(LIMIT);
	}

	@Test
	void keepsWhatIsOfferedBeforeTheSocketIsReady() {
		this.home.offer(frame(1));
		StepVerifier.create(this.home.events().map(Entries::text))
			.expectNext("frame 1")
			.then(() -> this.home.offer(frame(2)))
			.expectNext("frame 2")
			.thenCancel()
			.verify(LIMIT);
	}

	@Test
	void anEndComesAfterWhatIsInTheBuffer() {
		this.home.offer(frame(1));
		this.home.end();
		StepVerifier.create(this.home.events().map(Entries::text)).expectNext("frame 1").expectComplete().verify(LIMIT);
	}

	@Test
	void aSocketThatTakesNothingIsCutOffWhenTheBufferIsFull() {
		StepVerifier.create(this.home.events().map(Entries::text), 2).then(() -> {
			for (int number = 1; number <= CAPACITY + 2; number++) {
				assertThat(this.home.offer(frame(number))).as("event %d", number).isTrue();
			}
			assertThat(this.home.offer(frame(CAPACITY + 3))).isFalse();
		}).expectNext("frame 1", "frame 2").expectComplete().verify(LIMIT);
	}

	@Test
	void nothingIsTakenAfterTheEnd() {
		this.home.end();
		assertThat(this.home.offer(frame(1))).isFalse();
	}

	@Test
	void nothingIsTakenAfterTheSocketIsGone() {
		StepVerifier.create(this.home.events()).thenCancel().verify(LIMIT);
		assertThat(this.home.offer(frame(1))).isFalse();
	}

	@Test
	void aHomeWantsItsOwnPostsAndThoseOfTheFollowed() {
		this.home.attach(List.of("alice"));
		assertThat(this.home.wants(Entries.post(1, "a", "alice").entry())).isTrue();
		assertThat(this.home.wants(Entries.post(2, "b", "bob").entry())).isTrue();
		assertThat(this.home.wants(Entries.post(3, "c", "carol").entry())).isFalse();
		assertThat(this.home.wants(Entries.delete(4, "c", "carol").entry())).isTrue();
		assertThat(this.home.wants(follow(5, "carol"))).isFalse();
	}

	@Test
	void everyoneWantsAllPosts() {
		Subscriber everyone = new Subscriber(Interest.everyone(), CAPACITY);
		everyone.attach(List.of());
		assertThat(everyone.wants(Entries.post(1, "a", "alice").entry())).isTrue();
		assertThat(everyone.authors()).isEmpty();
	}

	@Test
	void followEntriesThatComeWhileTheFollowedAreReadAreAppliedToThem() {
		this.home.follow(follow(1, "carol"));
		this.home.follow(unfollow(2, "alice"));
		assertThat(this.home.isAttached()).isFalse();
		this.home.attach(List.of("alice", "dave"));
		assertThat(this.home.isAttached()).isTrue();
		assertThat(this.home.authors()).containsExactlyInAnyOrder("bob", "carol", "dave");
	}

	@Test
	void theLastOfFollowAndUnfollowCounts() {
		this.home.follow(follow(1, "carol"));
		this.home.follow(unfollow(2, "carol"));
		this.home.attach(List.of());
		assertThat(this.home.authors()).containsExactly("bob");
		this.home.follow(follow(3, "carol"));
		assertThat(this.home.authors()).containsExactlyInAnyOrder("bob", "carol");
	}

	@Test
	void anEventEndsTheQuiet() {
		this.home.offer(frame(1));
		long now = System.nanoTime();
		assertThat(this.home.quietFor(now + 5_000_000_000L)).isBetween(5_000_000_000L, 15_000_000_000L);
		this.home.offer(frame(2));
		assertThat(this.home.quietFor(now)).isNegative();
	}

	private static LogEntry follow(int number, String followed) {
		return Entries.silent(number, Type.FOLLOW, "bob", followed).entry();
	}

	private static LogEntry unfollow(int number, String followed) {
		return Entries.silent(number, Type.UNFOLLOW, "bob", followed).entry();
	}

}
