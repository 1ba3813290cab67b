package live.retwis.live;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which streams want the posts of which authors.
 */
class AuthorSubscriberIndexTests {

	private final AuthorSubscriberIndex authors = new AuthorSubscriberIndex();

	private final OpenStream one = stream();

	private final OpenStream other = stream();

	@Test
	void aStreamThatIsAddedAgainIsListedOnce() {
		this.authors.addAll(List.of("alice", "bob"), this.one);
		assertThat(this.authors.add("alice", this.one)).isFalse();
		assertThat(this.authors.add("carol", this.one)).isTrue();
		assertThat(this.authors.of("alice")).containsExactly(this.one);
		assertThat(this.authors.places()).isEqualTo(3);
	}

	@Test
	void aStreamCanDropAnAuthor() {
		this.authors.addAll(List.of("alice", "bob"), this.one);
		this.authors.addAll(List.of("alice"), this.other);
		assertThat(this.authors.remove("alice", this.one)).isTrue();
		assertThat(this.authors.remove("alice", this.one)).isFalse();
		assertThat(this.authors.remove("nobody", this.one)).isFalse();
		assertThat(this.authors.of("alice")).containsExactly(this.other);
		assertThat(this.authors.of("bob")).containsExactly(this.one);
		assertThat(this.authors.places()).isEqualTo(2);
	}

	@Test
	void aStreamThatHasEndedIsRemoved() {
		this.authors.addAll(List.of("alice"), this.one);
		this.authors.addAll(List.of("alice"), this.other);
		this.one.leave();
		this.authors.forget(1);
		assertThat(this.authors.of("alice")).containsExactly(this.other);
		assertThat(this.authors.places()).isOne();
		this.other.leave();
		this.authors.forget(1);
		assertThat(this.authors.of("alice")).isEmpty();
		assertThat(this.authors.places()).isZero();
	}

	@Test
	void streamsThatEndLeaveNoMemoryInUseForAuthorsWhoNeverPost() {
		List<String> silent = IntStream.range(0, 50).mapToObj((i) -> "author" + i).toList();
		List<OpenStream> open = new ArrayList<>();
		for (int i = 0; i < 2000; i++) {
			OpenStream stream = stream();
			this.authors.addAll(silent, stream);
			open.add(stream);
			if (open.size() > 10) {
				open.remove(0).leave();
				this.authors.forget(silent.size());
			}
		}
		assertThat(this.authors.places()).isLessThan(2500);
	}

	private static OpenStream stream() {
		return new OpenStream(StreamSelection.everyone(), new WebFluxOutlet(Runnable::run, 1));
	}

}
