package live.retwis.live;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import live.retwis.log.LogPosition;
import live.retwis.testing.EventStream;
import live.retwis.testing.EventStream.Event;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Readers come and go between two instances while others post.
 */
class ManyStreamsTests {

	private static final Logger log = LoggerFactory.getLogger(ManyStreamsTests.class);

	private static final int READERS = 16;

	private static final int AUTHORS = 4;

	private static final int POSTS_EACH = 50;

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private final List<Site> sites = List.of(Site.shared(), SecondInstance.get());

	private final Map<String, Set<String>> posts = new ConcurrentHashMap<>();

	@Test
	@Tag("slow")
	@Tag("long")
	void everyReaderGetsEveryPostOfFollowedAuthorsOnceAndInOrder() {
		long seed = System.nanoTime();
		log.info("Seed {}", seed);
		Random random = new Random(seed);
		List<Visitor> authors = new ArrayList<>();
		for (int i = 0; i < AUTHORS; i++) {
			authors.add(Visitor.registered(this.sites.get(i % 2)));
		}
		List<Reader> readers = new ArrayList<>();
		for (int i = 0; i < READERS; i++) {
			readers.add(reader(i, authors, random));
		}
		ExecutorService threads = Executors.newCachedThreadPool();
		try {
			List<CompletableFuture<Void>> writing = authors.stream()
				.map((author) -> CompletableFuture.runAsync(() -> write(author), threads))
				.toList();
			List<CompletableFuture<Void>> reading = readers.stream()
				.map((reader) -> CompletableFuture.runAsync(reader, threads))
				.toList();
			CompletableFuture.allOf(writing.toArray(CompletableFuture[]::new)).orTimeout(60, TimeUnit.SECONDS).join();
			readers.forEach((reader) -> reader.last = true);
			CompletableFuture.allOf(reading.toArray(CompletableFuture[]::new)).orTimeout(60, TimeUnit.SECONDS).join();
		}
		finally {
			threads.shutdownNow();
		}
		readers.forEach((reader) -> reader.check());
		Map<String, String> places = new HashMap<>();
		assertThat(readers).as("an id is one post's, on every instance")
			.allSatisfy((reader) -> reader.history
				.forEach((event) -> assertThat(places.merge(event.id(), event.data(), (known, again) -> known))
					.isEqualTo(event.data())));
	}

	private void write(Visitor author) {
		Set<String> made = new LinkedHashSet<>();
		for (int i = 0; i < POSTS_EACH; i++) {
			made.add(author.post("post " + i));
		}
		this.posts.put(author.name(), made);
	}

	/**
	 * Half of the readers open their home stream, a quarter one author's stream, and a
	 * quarter the public stream.
	 */
	private Reader reader(int number, List<Visitor> authors, Random random) {
		Visitor visitor = Visitor.registered(this.sites.get(number % 2));
		Set<String> followed = new LinkedHashSet<>();
		String path = switch (number % 4) {
			case 0, 1 -> "/live/home";
			case 2 -> "/live/@" + authors.get(number / 4).name();
			default -> "/live/public";
		};
		for (Visitor author : authors) {
			boolean follows = random.nextBoolean() || author == authors.get(number / 4);
			if (path.equals("/live/home") && follows) {
				visitor.follow(author);
			}
			if (path.equals("/live/home") ? follows : path.equals("/live/public") || path.endsWith(author.name())) {
				followed.add(author.name());
			}
		}
		return new Reader(visitor, path, followed, new Random(random.nextLong()));
	}

	private final class Reader implements Runnable {

		private final Visitor visitor;

		private final String path;

		private final Set<String> followed;

		private final Random random;

		private final List<Event> history = new ArrayList<>();

		private String position;

		/**
		 * True when nobody writes any more. The reader then connects once more and reads
		 * to the end.
		 */
		private volatile boolean last;

		Reader(Visitor visitor, String path, Set<String> followed, Random random) {
			this.visitor = visitor;
			this.path = path;
			this.followed = followed;
			this.random = random;
			try (EventStream stream = visitor.open(path)) {
				this.position = stream.await((event) -> true).id();
			}
		}

		@Override
		public void run() {
			while (!this.last) {
				int wanted = this.random.nextInt(12);
				read((events) -> this.last || events.size() > wanted);
			}
			Set<String> all = expected();
			read((events) -> EventStreams.postIds(this.history).size() + EventStreams.postIds(events).size() >= all
				.size());
		}

		private void read(Predicate<List<Event>> enough) {
			Site site = ManyStreamsTests.this.sites.get(this.random.nextInt(2));
			try (EventStream stream = EventStreams.open(site, this.path, this.visitor, "Last-Event-ID",
					this.position)) {
				List<Event> events = Awaitility.await(this.path)
					.atMost(LIMIT)
					.pollDelay(Duration.ZERO)
					.pollInterval(Duration.ofMillis(20))
					.until(stream::events, enough);
				assertThat(events).extracting(Event::name).doesNotContain("reset");
				events.stream().filter((event) -> event.name().equals("post")).forEach(this.history::add);
				if (!events.isEmpty()) {
					this.position = events.get(events.size() - 1).id();
				}
			}
		}

		private Set<String> expected() {
			Set<String> expected = new LinkedHashSet<>();
			this.followed.forEach((author) -> expected.addAll(ManyStreamsTests.this.posts.get(author)));
			return expected;
		}

		void check() {
			List<String> ids = EventStreams.postIds(this.history);
			assertThat(ids).as(this.path).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(expected());
			assertThat(this.history).extracting((event) -> LogPosition.parse(event.id()).orElseThrow()).isSorted();
		}

	}

}
