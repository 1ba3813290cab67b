package live.retwis.archive;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

import live.retwis.testing.Answer;
import live.retwis.testing.Visitor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Users who post, answer, like and delete in a random order, all at the same time. They
 * know what the site has acknowledged.
 */
final class RandomWriters implements AutoCloseable {

	private static final Duration PAUSE = Duration.ofMillis(250);

	/** Acknowledged posts by their ids, also those that were deleted since. */
	private final Map<String, Written> written = new ConcurrentHashMap<>();

	/** Posts that are deleted, or are just being deleted. */
	private final Set<String> leaving = ConcurrentHashMap.newKeySet();

	/** Posts whose deletion was acknowledged. */
	private final Set<String> deleted = ConcurrentHashMap.newKeySet();

	private final List<CompletableFuture<Void>> threads = new ArrayList<>();

	private final Random seeds;

	private volatile boolean stopped;

	RandomWriters(long seed) {
		this.seeds = new Random(seed);
	}

	/** An author's posts in an {@link OldStore}, which may be liked and deleted, too. */
	void know(Visitor author, List<String> planted) {
		planted.forEach((id) -> this.written.put(id, new Written(author, OldStore.textOf(id))));
	}

	/** Another user begins, who must have a post. */
	void begin(Visitor user) {
		Random random = new Random(this.seeds.nextLong());
		repeat(() -> act(user, random));
	}

	/** Something else is done over and over beside them. */
	void repeat(Runnable step) {
		this.threads.add(CompletableFuture.runAsync(() -> {
			while (!this.stopped) {
				step.run();
				LockSupport.parkNanos(PAUSE.toNanos());
			}
		}, (thread) -> new Thread(thread).start()));
	}

	private void act(Visitor user, Random random) {
		String any = choose(random, (author) -> true);
		switch (random.nextInt(4)) {
			case 0 -> write(user, "");
			case 1 -> write(user, any);
			case 2 -> assertDone(user.submit("/posts/" + any + "/like"), 303, any);
			default -> delete(user, choose(random, user::equals));
		}
	}

	/** A post that is not deleted. */
	private String choose(Random random, Predicate<Visitor> author) {
		List<String> all = this.written.entrySet()
			.stream()
			.filter((post) -> author.test(post.getValue().author()) && !this.leaving.contains(post.getKey()))
			.map(Map.Entry::getKey)
			.sorted()
			.toList();
		return all.get(random.nextInt(all.size()));
	}

	private void write(Visitor author, String replyTo) {
		String once = UUID.randomUUID().toString();
		String text = "The number of this post is " + once;
		Answer answer = author.postJson("body", text + " #backup", "once", once, "reply_to", replyTo);
		assertDone(answer, 201, replyTo);
		if (answer.status() == 201) {
			this.written.put(answer.json().get("posts").get(0).get("id").asString(), new Written(author, text));
		}
	}

	private void delete(Visitor author, String post) {
		this.leaving.add(post);
		assertThat(author.submit("/posts/" + post + "/delete").status()).isEqualTo(303);
		this.deleted.add(post);
	}

	/** What is done to a post that goes away meanwhile may be refused. */
	private void assertDone(Answer answer, int done, String post) {
		if (!this.leaving.contains(post)) {
			assertThat(answer.status()).as("%s: %s", post, answer.body()).isEqualTo(done);
		}
	}

	/** What was acknowledged until now, by the ids of the posts. */
	Map<String, Written> written() {
		return Map.copyOf(this.written);
	}

	/** The posts that are deleted, or are just being deleted. */
	Set<String> leaving() {
		return Set.copyOf(this.leaving);
	}

	/** The posts whose deletion was acknowledged. */
	Set<String> deleted() {
		return Set.copyOf(this.deleted);
	}

	/** Ends all of them. Fails if something that they did was refused. */
	@Override
	public void close() {
		this.stopped = true;
		this.threads.forEach(CompletableFuture::join);
	}

	/** An acknowledged post. */
	record Written(Visitor author, String text) {
	}

}
