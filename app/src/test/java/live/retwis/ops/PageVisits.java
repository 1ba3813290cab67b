package live.retwis.ops;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import live.retwis.testing.Answer;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Visitors who read pages and post, over and over. They send a request a second time only
 * where a browser does the same. Any server may close an idle connection at the moment
 * when a request is sent on it. So a request on a kept connection that had no answer, not
 * even its beginning, is sent again on another one.
 */
public final class PageVisits implements AutoCloseable {

	private static final Duration BOUND = Duration.ofSeconds(60);

	private static final Duration PAUSE = Duration.ofMillis(20);

	/** The error of Java's client for such a connection. */
	private static final String CLOSED = "HTTP/1.1 header parser received no bytes";

	/** The most connections that a client keeps. All of them may be closed at once. */
	private static final int KEPT = 3;

	private final Visitor author;

	private final List<Thread> threads = new ArrayList<>();

	private final List<AtomicInteger> answers = new ArrayList<>();

	private final Queue<String> failures = new ConcurrentLinkedQueue<>();

	private final Set<String> posts = ConcurrentHashMap.newKeySet();

	private volatile boolean stopped;

	private PageVisits(String origin) {
		this.author = Visitor.registered(origin);
		Visitor stranger = Visitor.at(origin);
		repeat("GET /timeline", () -> asBrowsersDo(() -> stranger.get("/timeline")), 200);
		repeat("GET /home", () -> asBrowsersDo(() -> this.author.get("/home")), 200);
		for (int i = 0; i < 2; i++) {
			repeat("POST /posts", this::post, 201);
		}
	}

	/** Starts the visitors. */
	public static PageVisits to(String origin) {
		return new PageVisits(origin);
	}

	private Answer post() {
		String once = UUID.randomUUID().toString();
		Answer answer = asBrowsersDo(() -> this.author.postJson("body", "post " + once, "once", once));
		if (answer.status() == 201) {
			this.posts.add(answer.json().get("posts").get(0).get("id").asString());
		}
		return answer;
	}

	private static Answer asBrowsersDo(Supplier<Answer> visit) {
		for (int kept = KEPT;; kept--) {
			try {
				return visit.get();
			}
			catch (UncheckedIOException ex) {
				if (kept == 0 || !String.valueOf(ex.getCause()).contains(CLOSED)) {
					throw ex;
				}
			}
		}
	}

	private void repeat(String what, Supplier<Answer> visit, int expected) {
		AtomicInteger count = new AtomicInteger();
		this.answers.add(count);
		Thread thread = new Thread(() -> {
			while (!this.stopped) {
				try {
					int status = visit.get().status();
					if (status != expected) {
						this.failures.add(what + " answered " + status);
					}
				}
				catch (UncheckedIOException ex) {
					this.failures.add(what + ": " + ex.getCause());
				}
				count.incrementAndGet();
				LockSupport.parkNanos(PAUSE.toNanos());
			}
		}, what);
		thread.start();
		this.threads.add(thread);
	}

	/** Waits until each visitor has received this many more answers. */
	public void await(int more) {
		for (AtomicInteger count : this.answers) {
			int wanted = count.get() + more;
			Awaitility.await().atMost(BOUND).until(() -> count.get() >= wanted);
		}
	}

	/**
	 * Stops the visitors. Checks that each request was answered as it should be, and that
	 * the author's page has each acknowledged post once and no other post.
	 */
	public void assertWhole() {
		stop();
		assertThat(this.failures).isEmpty();
		assertThat(this.posts).isNotEmpty();
		assertThat(postsOfItsAuthor()).containsExactlyInAnyOrderElementsOf(this.posts);
	}

	/** The posts that were acknowledged to the author. */
	public Set<String> posts() {
		return this.posts;
	}

	/** All posts on the author's page, down to the first. */
	private List<String> postsOfItsAuthor() {
		List<String> found = new ArrayList<>();
		String path = "/@" + this.author.name();
		while (!path.isEmpty()) {
			JsonNode page = this.author.getJson(path).json();
			page.get("posts").forEach((post) -> found.add(post.get("id").asString()));
			path = page.hasNonNull("older") ? "/@" + this.author.name() + "?before=" + page.get("older").asString()
					: "";
		}
		return found;
	}

	private void stop() {
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

	@Override
	public void close() {
		stop();
	}

}
