package live.retwis.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToIntFunction;

import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Readers who go through all pages of lists, over and over, while posts move to the
 * archive. They ask again for a page that answers 503, so one reading may last as long as
 * a fault. Each reading must have every post once, in its place, and no page may have a
 * post that was deleted before.
 */
public final class SeamReaders implements AutoCloseable {

	private static final Duration BOUND = Duration.ofSeconds(90);

	private static final Duration PAUSE = Duration.ofMillis(50);

	private static final String AWAY = "Older posts cannot be read at the moment";

	private final boolean redisFails;

	private final List<Reader> readers = new ArrayList<>();

	private final List<Thread> threads = new ArrayList<>();

	private final Set<String> deleted = ConcurrentHashMap.newKeySet();

	/** Posts that are deleted, or are just being deleted. */
	private final Set<String> leaving = ConcurrentHashMap.newKeySet();

	private final Queue<String> problems = new ConcurrentLinkedQueue<>();

	private volatile boolean stopped;

	private SeamReaders(boolean redisFails) {
		this.redisFails = redisFails;
	}

	/** Readers while nothing but the archive fails. So only older posts may be away. */
	public static SeamReaders ofArchive() {
		return new SeamReaders(false);
	}

	/** Readers while Redis fails, too. Then any page may be away. */
	public static SeamReaders ofRedisAndArchive() {
		return new SeamReaders(true);
	}

	/**
	 * Another reader begins.
	 * @param first address of the first page of a list
	 * @param posts ids of the list's posts, in its order
	 */
	public void read(Visitor visitor, String first, List<String> posts) {
		Reader reader = new Reader(visitor, first, List.copyOf(posts));
		Thread thread = new Thread(reader, "reader of " + first);
		this.readers.add(reader);
		this.threads.add(thread);
		thread.start();
	}

	/**
	 * Deletes posts. From now on the readers may do without them, and when this returns
	 * they must not see them any more.
	 */
	public void delete(Collection<String> posts, Runnable deletion) {
		this.leaving.addAll(posts);
		deletion.run();
		this.deleted.addAll(posts);
	}

	/** Deletes a post of an author. */
	public void delete(Visitor author, String post) {
		delete(List.of(post), () -> assertThat(author.submit("/posts/" + post + "/delete").status()).isEqualTo(303));
	}

	/** The posts that were deleted. */
	public Set<String> deleted() {
		return Set.copyOf(this.deleted);
	}

	/** How many answers said that a page is away. */
	public int refused() {
		return this.readers.stream().mapToInt((reader) -> reader.refused.get()).sum();
	}

	/** Waits until each reader has got this many more answers. */
	public void awaitAnswers(int more) {
		await(more, (reader) -> reader.answers.get());
	}

	/** Waits until each reader has gone through its list this many more times. */
	public void awaitReadings(int more) {
		// One that has begun before does not count.
		await(more + 1, (reader) -> reader.readings.get());
	}

	private void await(int more, ToIntFunction<Reader> count) {
		List<Integer> before = this.readers.stream().map(count::applyAsInt).toList();
		Awaitility.await("readers").atMost(BOUND).until(() -> {
			for (int i = 0; i < before.size(); i++) {
				if (count.applyAsInt(this.readers.get(i)) < before.get(i) + more && this.problems.isEmpty()) {
					return false;
				}
			}
			return true;
		});
		assertThat(this.problems).isEmpty();
	}

	/** Checks what the readers have seen until now. */
	public void assertWhole() {
		awaitReadings(1);
		close();
		assertThat(this.problems).isEmpty();
	}

	@Override
	public void close() {
		this.stopped = true;
		for (Thread thread : this.threads) {
			try {
				thread.join(BOUND.toMillis());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/** One reader, of one list. */
	private final class Reader implements Runnable {

		private final Visitor visitor;

		private final String first;

		private final List<String> posts;

		private final AtomicInteger answers = new AtomicInteger();

		private final AtomicInteger refused = new AtomicInteger();

		private final AtomicInteger readings = new AtomicInteger();

		Reader(Visitor visitor, String first, List<String> posts) {
			this.visitor = visitor;
			this.first = first;
			this.posts = posts;
		}

		@Override
		public void run() {
			try {
				while (!SeamReaders.this.stopped) {
					readAll();
					readOne();
					LockSupport.parkNanos(PAUSE.toNanos());
				}
			}
			catch (RuntimeException | AssertionError ex) {
				SeamReaders.this.problems.add(this.first + ": " + ex);
			}
		}

		/** Goes through the list. */
		private void readAll() {
			List<String> seen = new ArrayList<>();
			String path = this.first;
			while (!path.isEmpty()) {
				Set<String> gone = deleted();
				Answer page = get(path);
				if (SeamReaders.this.stopped) {
					return;
				}
				assertThat(page.status()).as(path).isEqualTo(200);
				assertThat(page.postIds().stream().filter(gone::contains)).as("deleted posts on %s", path).isEmpty();
				seen.addAll(page.postIds());
				if (path.equals(this.first) && page.body().contains(AWAY)) {
					// It has what there is in Redis, and says that others are missing.
					return;
				}
				path = page.older();
			}
			assertThat(seen).as("all pages of %s", this.first).doesNotHaveDuplicates();
			Set<String> leaving = new HashSet<>(SeamReaders.this.leaving);
			seen.removeAll(leaving);
			List<String> expected = new ArrayList<>(this.posts);
			expected.removeAll(leaving);
			assertThat(seen).as("all pages of %s", this.first).isEqualTo(expected);
			this.readings.incrementAndGet();
		}

		/** Reads the page of one of the posts. */
		private void readOne() {
			String post = this.posts.get(ThreadLocalRandom.current().nextInt(this.posts.size()));
			boolean gone = SeamReaders.this.deleted.contains(post);
			Answer page = get("/posts/" + post);
			if (!SeamReaders.this.stopped && (gone || !SeamReaders.this.leaving.contains(post))) {
				assertThat(page.status()).as("/posts/%s, deleted: %s", post, gone).isEqualTo(gone ? 404 : 200);
			}
		}

		/** The page, as soon as it is not away. */
		private Answer get(String path) {
			Answer page = this.visitor.get(path);
			this.answers.incrementAndGet();
			while (page.status() == 503 && !SeamReaders.this.stopped) {
				this.refused.incrementAndGet();
				assertThat(page.header("Retry-After")).as(path).isNotEmpty();
				if (!SeamReaders.this.redisFails) {
					assertThat(path).as("a page that is away").isNotEqualTo(this.first);
					assertThat(page.body()).as(path).contains(AWAY);
				}
				LockSupport.parkNanos(PAUSE.toNanos());
				page = this.visitor.get(path);
				this.answers.incrementAndGet();
			}
			return page;
		}

	}

}
