package live.retwis.faults;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import live.retwis.faults.WorkloadPeople.Block;
import live.retwis.testing.Answer;
import live.retwis.testing.Visitor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Authors who send each form again, to a random instance, until the post is acknowledged.
 * Some posts reply to the first or the last post of one conversation, or have a tag and
 * mention two users, and some are deleted again. Now and then the authors like or repost
 * a post, and take every third of that back. One of the two users has blocked an author,
 * who tries to react to the blocker's post.
 */
final class Writers {

	private static final int CREATED = 201;

	private static final int AWAY = 503;

	/**
	 * One in this many posts is a reply, one is a reply to a reply, one has a tag, one is
	 * reposted and liked, and one is a reply with a tag that is deleted. After one the
	 * blocked author tries to react.
	 */
	private static final int KINDS = 6;

	/** One in this many likes and reposts is taken back. */
	private static final int TAKEN_BACK = 3;

	/**
	 * How often a repost, or what takes something back, is sent unless it is
	 * acknowledged.
	 */
	private static final int TRIES = 3;

	private final List<Visitor> authors;

	private final List<String> conversation;

	private final Block block;

	private final LoadBalancer balancer;

	private final Map<String, String> authorOf;

	private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();

	/** Likes by their posts, as far as an instance has acknowledged them. */
	private final Map<String, Acknowledgement> likes = new ConcurrentHashMap<>();

	/** Reposts by their originals, as far as an instance has acknowledged them. */
	private final Map<String, Acknowledgement> reposts = new ConcurrentHashMap<>();

	/** Likes that are taken back, by their posts. */
	private final Map<String, Acknowledgement> unlikes = new ConcurrentHashMap<>();

	/** Reposts that are taken back, by their originals. */
	private final Map<String, Acknowledgement> unreposts = new ConcurrentHashMap<>();

	/** Deletions by their posts, as far as an instance has acknowledged them. */
	private final Map<String, Acknowledgement> deletions = new ConcurrentHashMap<>();

	/** Acknowledged posts that mention the first author. */
	private final Set<String> mentions = ConcurrentHashMap.newKeySet();

	private final AtomicInteger repeated = new AtomicInteger();

	private volatile boolean stopped;

	Writers(WorkloadPeople people, LoadBalancer balancer) {
		this.authors = people.authors();
		this.conversation = people.conversation();
		this.block = people.block();
		this.authorOf = people.authorOf();
		this.balancer = balancer;
	}

	/** Posts until the workload stops. */
	void write(int number, int pauseMillis, Random random) {
		while (!this.stopped) {
			post(this.authors.get(number % this.authors.size()), random.nextInt(KINDS), random);
			ThinkTime.upTo(pauseMillis, random);
		}
	}

	void stop() {
		this.stopped = true;
	}

	boolean isStopped() {
		return this.stopped;
	}

	/**
	 * Makes one post of each author, which mentions others. So the number of their unread
	 * is announced again, even if an instance died before it announced the one before.
	 */
	void postOnce(Random random) {
		this.authors.forEach((author) -> post(author, 0, random));
	}

	private void post(Visitor author, int kind, Random random) {
		String once = UUID.randomUUID().toString();
		String text = "post " + once + switch (kind) {
			case 0 ->
				" #%s @%s @%s".formatted(WorkloadPeople.TAG, this.authors.get(0).name(), this.block.blocker().name());
			case 4 -> " #" + WorkloadPeople.TAG;
			default -> "";
		};
		String replyTo = switch (kind) {
			case 1, 4 -> this.conversation.get(0);
			case 5 -> this.conversation.get(this.conversation.size() - 1);
			default -> "";
		};
		while (true) {
			try {
				Answer answer = author.sentTo(this.balancer.any(random))
					.postJson("body", text, "once", once, "reply_to", replyTo);
				if (answer.status() == CREATED) {
					String post = answer.json().get("posts").get(0).get("id").asString();
					this.authorOf.put(post, author.id());
					this.acknowledged.add(post);
					if (kind == 0 && !author.equals(this.authors.get(0))) {
						this.mentions.add(post);
					}
					if (kind == 2) {
						react(this.authors.get(random.nextInt(this.authors.size())), post, random);
					}
					if (kind == 4) {
						sent(author, "/posts/" + post + "/delete", TRIES, random)
							.ifPresent((deletion) -> this.deletions.put(post, deletion));
					}
					if (kind == 3 && author.equals(this.block.author())) {
						assertRefused(random);
					}
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

	/**
	 * Likes a post once, and reposts it, sending the repost again when nobody answers.
	 * Something that is taken back is sent once, because a form that nobody answered may
	 * be done later.
	 */
	private void react(Visitor author, String post, Random random) {
		if (random.nextInt(TAKEN_BACK) > 0) {
			sent(author, "/posts/" + post + "/like", 1, random).ifPresent((like) -> this.likes.put(post, like));
			sent(author, "/posts/" + post + "/repost", TRIES, random)
				.ifPresent((repost) -> this.reposts.put(post, repost));
		}
		else {
			sent(author, "/posts/" + post + "/like", 1, random)
				.flatMap((like) -> sent(author, "/posts/" + post + "/unlike", TRIES, random))
				.ifPresent((unlike) -> this.unlikes.put(post, unlike));
			sent(author, "/posts/" + post + "/repost", 1, random)
				.flatMap((repost) -> sent(author, "/posts/" + post + "/unrepost", TRIES, random))
				.ifPresent((unrepost) -> this.unreposts.put(post, unrepost));
		}
	}

	/**
	 * The blocked author can neither repost nor answer the blocker's post. A like may be
	 * accepted at first, and is then taken back.
	 */
	private void assertRefused(Random random) {
		String post = this.block.post();
		sent(this.block.author(), "/posts/" + post + "/like", 1, random);
		assertThat(sent(this.block.author(), "/posts/" + post + "/repost", 1, random)).isEmpty();
		try {
			Answer answer = this.block.author()
				.sentTo(this.balancer.any(random))
				.postJson("body", "an answer", "once", UUID.randomUUID().toString(), "reply_to", post);
			assertThat(answer.status()).as(answer.body()).isIn(403, AWAY);
		}
		catch (UncheckedIOException ex) {
			// Nobody has answered.
		}
	}

	/**
	 * Sends a form until it is acknowledged.
	 * @param tries how often it is sent at most
	 * @return empty when it is unknown whether it is done
	 */
	private Optional<Acknowledgement> sent(Visitor author, String path, int tries, Random random) {
		long sent = System.nanoTime();
		for (int i = 0; i < tries; i++) {
			try {
				Answer answer = author.sentTo(this.balancer.any(random)).submitJson(path);
				if (answer.status() < 300) {
					return Optional.of(new Acknowledgement(author.id(), sent, System.nanoTime()));
				}
			}
			catch (UncheckedIOException ex) {
				// It is unknown whether it is done.
			}
		}
		return Optional.empty();
	}

	/** Posts that were acknowledged to their authors. */
	Set<String> acknowledged() {
		return this.acknowledged;
	}

	/** Likes by their posts, as far as they are acknowledged and not taken back. */
	Map<String, Acknowledgement> likes() {
		return this.likes;
	}

	/** Reposts by their originals, as far as they are acknowledged and not taken back. */
	Map<String, Acknowledgement> reposts() {
		return this.reposts;
	}

	/** What took likes back, by their posts, as far as it is acknowledged. */
	Map<String, Acknowledgement> unlikes() {
		return this.unlikes;
	}

	/** What took reposts back, by their originals, as far as it is acknowledged. */
	Map<String, Acknowledgement> unreposts() {
		return this.unreposts;
	}

	/** Acknowledged deletions by their posts. */
	Map<String, Acknowledgement> deletions() {
		return this.deletions;
	}

	/** Ids of the posts to which others reply, each a reply to the one before. */
	List<String> conversation() {
		return this.conversation;
	}

	/** Acknowledged posts that mention the first author. */
	Set<String> mentions() {
		return this.mentions;
	}

	/** Id of the author of an acknowledged post. */
	String authorOf(String post) {
		return Objects.requireNonNull(this.authorOf.get(post));
	}

	/** Id of the author who is mentioned. */
	String mentioned() {
		return this.authors.get(0).id();
	}

	/** The block of an author who mentions the blocker. */
	Block block() {
		return this.block;
	}

	/** How often a form was sent again. */
	int repeated() {
		return this.repeated.get();
	}

}
