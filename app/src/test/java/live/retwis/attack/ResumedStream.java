package live.retwis.attack;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A stream that goes on at its last position whenever it ends, as browsers do. */
final class ResumedStream {

	private static final Pattern ID = Pattern.compile("^id: (.+)$", Pattern.MULTILINE);

	private static final Pattern RETRY = Pattern.compile("^retry: (\\d+)$", Pattern.MULTILINE);

	private static final Pattern POST = Pattern.compile("^event: post$.*?data-post-id=\"([^\"]*)\"",
			Pattern.MULTILINE | Pattern.DOTALL);

	private final Person person;

	private final String path;

	private final Queue<String> troubles;

	private final List<String> posts = new CopyOnWriteArrayList<>();

	private final AtomicInteger opened = new AtomicInteger();

	private final StringBuilder unread = new StringBuilder();

	private volatile String position = "";

	private volatile Duration retry = Duration.ofSeconds(1);

	private volatile boolean served;

	/**
	 * Creates a stream that is not open yet.
	 * @param troubles gets a line for each connection that brought no event
	 */
	ResumedStream(Person person, String path, Queue<String> troubles) {
		this.person = person;
		this.path = path;
		this.troubles = troubles;
	}

	/**
	 * Opens the stream.
	 * @param life after this time the reader closes the connection and opens another one
	 */
	Disposable open(Duration life) {
		return Flux.defer(this::connect).take(life).doOnNext(this::read).onErrorResume((broken) -> {
			this.troubles.add(this.path + " broke: " + broken);
			return Mono.empty();
		}).doOnComplete(this::note).repeatWhen((ends) -> ends.concatMap((end) -> Mono.delay(this.retry))).subscribe();
	}

	private Flux<String> connect() {
		this.unread.setLength(0);
		this.served = false;
		this.opened.incrementAndGet();
		return this.person.stream(this.path, this.position);
	}

	private void note() {
		if (!this.served) {
			this.troubles.add(this.path + " was refused");
		}
	}

	private void read(String text) {
		this.unread.append(text);
		for (int end = this.unread.indexOf("\n\n"); end >= 0; end = this.unread.indexOf("\n\n")) {
			event(this.unread.substring(0, end));
			this.unread.delete(0, end + 2);
		}
	}

	private void event(String text) {
		Matcher wait = RETRY.matcher(text);
		if (wait.find()) {
			this.retry = Duration.ofMillis(Long.parseLong(wait.group(1)));
		}
		Matcher post = POST.matcher(text);
		if (post.find()) {
			this.posts.add(post.group(1));
		}
		Matcher id = ID.matcher(text);
		if (id.find()) {
			this.position = id.group(1);
			this.served = true;
		}
	}

	/** Whether it has a position. */
	boolean hasBegun() {
		return !this.position.isEmpty();
	}

	/** How often it was opened. */
	int opened() {
		return this.opened.get();
	}

	/** Ids of the posts in the order in which they came. */
	List<String> posts() {
		return List.copyOf(this.posts);
	}

	@Override
	public String toString() {
		return this.path + " of " + this.person.name();
	}

}
