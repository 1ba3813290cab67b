package live.retwis.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

import live.retwis.bench.FanOutServers.Instance;
import live.retwis.locks.nodes.testing.bench.Figure;
import live.retwis.redis.Keys;
import live.retwis.testing.SeededFollowers;
import live.retwis.testing.Visitor;

/**
 * How many home timelines a millisecond one, two and four instances write: the posts of
 * ten authors with 5,000 followers each.
 */
final class TimelineDelivery {

	private static final int AUTHORS = 10;

	private static final int FOLLOWERS = 5_000;

	/** Posts of each author in a round. */
	private static final int POSTS = 2;

	private final FanOutServers servers;

	private final int rounds;

	/**
	 * Creates a measurement.
	 * @param rounds measured rounds; one more comes before them
	 */
	TimelineDelivery(FanOutServers servers, int rounds) {
		this.servers = servers;
		this.rounds = rounds;
	}

	/**
	 * Measures.
	 * @param result gets the number of instances and their figure
	 */
	void measure(BiConsumer<Integer, Figure> result) {
		List<Instance> instances = new ArrayList<>();
		try {
			instances.add(this.servers.launch("instance-0", FanOutServers.PUSH_ALL));
			List<Visitor> authors = authors(instances.get(0).origin());
			for (int count : List.of(1, 2, 4)) {
				while (instances.size() < count) {
					instances.add(this.servers.launch("instance-" + instances.size(), FanOutServers.PUSH_ALL));
				}
				List<Double> rates = new ArrayList<>();
				for (int i = 0; i <= this.rounds; i++) {
					double rate = round(authors);
					if (i > 0) {
						rates.add(rate);
					}
				}
				result.accept(count, Figure.of("timelines written a millisecond, instances: " + count, "", rates));
			}
		}
		finally {
			instances.forEach(Instance::close);
		}
	}

	private List<Visitor> authors(String origin) {
		List<Visitor> authors = IntStream.range(0, AUTHORS).mapToObj((i) -> Visitor.registered(origin)).toList();
		authors.forEach((author) -> {
			String first = author.post("first");
			this.servers.settle();
			try (SeededFollowers fans = this.servers.plant(author.id(), FOLLOWERS)) {
				fans.read(first, this.servers.commands().zscore(Keys.postsOf(author.id()), first).longValue());
			}
		});
		return authors;
	}

	/** Timelines a millisecond. */
	private double round(List<Visitor> authors) {
		long start = System.nanoTime();
		for (int i = 0; i < POSTS; i++) {
			authors.forEach((author) -> author.post("to all"));
		}
		this.servers.settle();
		return POSTS * AUTHORS * FOLLOWERS / ((System.nanoTime() - start) / 1e6);
	}

}
