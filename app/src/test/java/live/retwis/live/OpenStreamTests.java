package live.retwis.live;

import java.util.List;
import java.util.Set;

import live.retwis.log.LogEntry;
import live.retwis.log.LogEntry.Type;
import org.junit.jupiter.api.Test;

import static live.retwis.live.Entries.frame;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A single stream.
 */
class OpenStreamTests {

	private static final long HOUR = 3_600_000_000_000L;

	private final OpenStream home = new OpenStream(StreamSelection.home("bob"), new WebFluxOutlet(Runnable::run, 8));

	@Test
	void aHomeStreamWantsOwnPostsAndThoseOfFollowedAuthors() {
		Set<String> authors = this.home.attach(List.of("alice"), HOUR);
		assertThat(wants(authors, Entries.post(1, "a", "alice"))).isTrue();
		assertThat(wants(authors, Entries.post(2, "b", "bob"))).isTrue();
		assertThat(wants(authors, Entries.post(3, "c", "carol"))).isFalse();
		assertThat(wants(authors, Entries.delete(4, "c", "carol"))).isTrue();
		assertThat(this.home.interest().wants(authors, new FeedEntry(follow(5, "carol"), null))).isFalse();
	}

	private boolean wants(Set<String> authors, FeedEntry entry) {
		return this.home.interest().wants(authors, entry);
	}

	@Test
	void thePublicStreamWantsAllPosts() {
		OpenStream everyone = new OpenStream(StreamSelection.everyone(), new WebFluxOutlet(Runnable::run, 8));
		Set<String> authors = everyone.attach(List.of(), HOUR);
		assertThat(authors).isEmpty();
		assertThat(everyone.interest().wants(authors, Entries.post(1, "a", "alice"))).isTrue();
	}

	@Test
	void followEntriesThatArriveWhileFollowedAuthorsAreReadAreApplied() {
		this.home.keep(follow(1, "carol"));
		this.home.keep(unfollow(2, "alice"));
		assertThat(this.home.isLive()).isFalse();
		assertThat(this.home.attach(List.of("alice", "dave"), HOUR)).containsExactlyInAnyOrder("bob", "carol", "dave");
		assertThat(this.home.isLive()).isTrue();
	}

	@Test
	void theLaterOfFollowAndUnfollowCounts() {
		this.home.keep(follow(1, "carol"));
		this.home.keep(unfollow(2, "carol"));
		this.home.keep(unfollow(3, "dave"));
		this.home.keep(follow(4, "dave"));
		assertThat(this.home.attach(List.of(), HOUR)).containsExactlyInAnyOrder("bob", "dave");
	}

	@Test
	void itsAgeIsCountedFromTheMomentItGoesLive() {
		this.home.attach(List.of(), HOUR);
		long now = System.nanoTime();
		assertThat(this.home.isOld(now)).isFalse();
		assertThat(this.home.isOld(now + HOUR)).isTrue();
	}

	@Test
	void theQuietTimeIsCountedFromTheLastEvent() {
		this.home.attach(List.of(), HOUR);
		this.home.send(frame(1), 1000);
		assertThat(this.home.quietFor(1500)).isEqualTo(500);
	}

	@Test
	void anEndedStreamIsNotLive() {
		this.home.attach(List.of(), HOUR);
		this.home.end();
		assertThat(this.home.isLive()).isFalse();
		assertThat(this.home.isOver()).isTrue();
	}

	private static LogEntry follow(int number, String followed) {
		return Entries.silent(number, Type.FOLLOW, "bob", followed).entry();
	}

	private static LogEntry unfollow(int number, String followed) {
		return Entries.silent(number, Type.UNFOLLOW, "bob", followed).entry();
	}

}
