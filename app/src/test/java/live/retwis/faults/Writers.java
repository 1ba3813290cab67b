package live.retwis.faults;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import live.retwis.testing.Answer;
import live.retwis.testing.Visitor;

/**
 * Authors who send each form again, to a random instance, until the post is acknowledged.
 */
final class Writers {

	private static final int CREATED = 201;

	private static final int AWAY = 503;

	private final List<Visitor> authors;

	private final LoadBalancer balancer;

	private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();

	private final AtomicInteger repeated = new AtomicInteger();

	private volatile boolean stopped;

	Writers(List<Visitor> authors, LoadBalancer balancer) {
		this.authors = authors;
		this.balancer = balancer;
	}

	/** Posts until the workload stops. */
	void write(int number, int pauseMillis, Random random) {
		while (!this.stopped) {
			post(this.authors.get(number % this.authors.size()), random);
			ThinkTime.upTo(pauseMillis, random);
		}
	}

	void stop() {
		this.stopped = true;
	}

	/** Makes one post of each author. */
	void postOnce(Random random) {
		this.authors.forEach((author) -> post(author, random));
	}

	private void post(Visitor author, Random random) {
		String once = UUID.randomUUID().toString();
		String text = "post " + once;
		while (true) {
			try {
				Answer answer = author.sentTo(this.balancer.any(random)).postJson("body", text, "once", once);
				if (answer.status() == CREATED) {
					this.acknowledged.add(answer.json().get("posts").get(0).get("id").asString());
					return;
				}
				if (answer.status() != AWAY) {
					throw new AssertionError("posting answered " + answer.status() + " " + answer.body());
				}
			}
			catch (UncheckedIOException ex) {
				// It is unknown whether the post is made.
			}
			this.repeated.incrementAndGet();
			ThinkTime.upTo(ThinkTime.SHORT, random);
		}
	}

	/** Posts that were acknowledged to their authors. */
	Set<String> acknowledged() {
		return this.acknowledged;
	}

	/** How often a form was sent again. */
	int repeated() {
		return this.repeated.get();
	}

}
