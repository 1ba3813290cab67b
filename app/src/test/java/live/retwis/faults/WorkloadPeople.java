package live.retwis.faults;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import live.retwis.log.LogEntry;
import live.retwis.testing.Visitor;

/**
 * The users of a workload: four authors and sixteen streams. Half of the streams are home
 * streams. Of the streams of one author, of everyone, of a tag and of a conversation
 * there are two each.
 *
 * @param authors users who write
 * @param conversation id of the post to which they reply
 * @param subscriptions streams that are read
 */
record WorkloadPeople(List<Visitor> authors, String conversation, List<Subscription> subscriptions) {

	/** The tag that some of the posts have. */
	static final String TAG = "faults";

	static final int STREAMS = 16;

	private static final int AUTHORS = 4;

	/** Registers the users. Each reader of a home stream follows random authors. */
	static WorkloadPeople register(LoadBalancer balancer, Random random) {
		List<Visitor> authors = IntStream.range(0, AUTHORS)
			.mapToObj((i) -> Visitor.registered(balancer.any(random)))
			.toList();
		authors.forEach((author) -> author.get("/home"));
		String conversation = authors.get(0).post("What breaks?");
		List<Subscription> subscriptions = new ArrayList<>();
		for (int i = 0; i < STREAMS; i++) {
			Visitor author = authors.get(i / (STREAMS / AUTHORS));
			subscriptions.add(switch (i % 8) {
				case 0, 1, 2, 3 -> home(balancer, random, authors, author);
				case 4 -> new Subscription("/live/@" + author.name(), author, by(Set.of(author.id())));
				case 5 -> new Subscription("/live/public", author, (post) -> post.repostOf().isEmpty());
				case 6 -> new Subscription("/live/tags/" + TAG, author, (post) -> post.tags().contains(TAG));
				default -> new Subscription("/live/posts/" + conversation, author,
						(post) -> post.replyTo().filter(conversation::equals).isPresent());
			});
		}
		return new WorkloadPeople(authors, conversation, subscriptions);
	}

	/** The posts and reposts of these authors. */
	static Predicate<LogEntry> by(Set<String> authors) {
		return (post) -> authors.contains(post.user());
	}

	private static Subscription home(LoadBalancer balancer, Random random, List<Visitor> authors, Visitor one) {
		Visitor reader = Visitor.registered(balancer.any(random));
		Set<Visitor> followed = new HashSet<>(Set.of(one));
		authors.stream().filter((author) -> random.nextBoolean()).forEach(followed::add);
		followed.forEach(reader::follow);
		return new Subscription("/live/home", reader,
				by(followed.stream().map(Visitor::id).collect(Collectors.toUnmodifiableSet())));
	}

	/**
	 * A stream that somebody reads.
	 *
	 * @param path path of the stream
	 * @param visitor visitor whose session is used
	 * @param posts the posts that belong to the stream
	 */
	record Subscription(String path, Visitor visitor, Predicate<LogEntry> posts) {
	}

}
