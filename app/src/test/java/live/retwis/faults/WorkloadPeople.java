package live.retwis.faults;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import live.retwis.testing.Visitor;

/**
 * The users of a workload: four authors and sixteen streams. Half of the streams are home
 * streams, a quarter are streams of one author, and a quarter are public.
 *
 * @param authors users who write
 * @param subscriptions streams that are read
 */
record WorkloadPeople(List<Visitor> authors, List<Subscription> subscriptions) {

	static final int STREAMS = 16;

	private static final int AUTHORS = 4;

	/** Registers the users. Each reader of a home stream follows random authors. */
	static WorkloadPeople register(LoadBalancer balancer, Random random) {
		List<Visitor> authors = IntStream.range(0, AUTHORS)
			.mapToObj((i) -> Visitor.registered(balancer.any(random)))
			.toList();
		authors.forEach((author) -> author.get("/home"));
		List<Subscription> subscriptions = new ArrayList<>();
		for (int i = 0; i < STREAMS; i++) {
			Visitor author = authors.get(i / (STREAMS / AUTHORS));
			subscriptions.add(switch (i % 4) {
				case 0, 1 -> home(balancer, random, authors, author);
				case 2 -> new Subscription("/live/@" + author.name(), author, Set.of(author.id()));
				default -> new Subscription("/live/public", author, Set.of());
			});
		}
		return new WorkloadPeople(authors, subscriptions);
	}

	private static Subscription home(LoadBalancer balancer, Random random, List<Visitor> authors, Visitor one) {
		Visitor reader = Visitor.registered(balancer.any(random));
		Set<Visitor> followed = new HashSet<>(Set.of(one));
		authors.stream().filter((author) -> random.nextBoolean()).forEach(followed::add);
		followed.forEach(reader::follow);
		return new Subscription("/live/home", reader,
				followed.stream().map(Visitor::id).collect(Collectors.toUnmodifiableSet()));
	}

	/**
	 * A stream that somebody reads.
	 *
	 * @param path path of the stream
	 * @param visitor visitor whose session is used
	 * @param authors authors whose posts belong to the stream; empty for the public
	 * stream
	 */
	record Subscription(String path, Visitor visitor, Set<String> authors) {
	}

}
