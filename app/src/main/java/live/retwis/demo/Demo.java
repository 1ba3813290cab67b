package live.retwis.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import live.retwis.account.User;
import live.retwis.follow.FollowWriter;
import live.retwis.redis.RandomTokens;
import live.retwis.restriction.BlockedException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Fills an empty store with users, follows and posts, and then keeps posting, so that a
 * newcomer sees a moving timeline within a minute. It uses the same code as the site's
 * forms.
 */
@Component
public class Demo {

	private static final Duration POST_EVERY = Duration.ofSeconds(1);

	/** Posts made at once in the beginning, so that every page has some. */
	private static final int FIRST_POSTS = 80;

	/** Users whom each user follows. */
	private static final int FOLLOWS = 8;

	private final DemoPeople people;

	private final FollowWriter follows;

	private final DemoPostWriter posts;

	private final DemoStepRunner steps;

	Demo(DemoPeople people, FollowWriter follows, DemoPostWriter posts, DemoStepRunner steps) {
		this.people = people;
		this.follows = follows;
		this.posts = posts;
		this.steps = steps;
	}

	/**
	 * Fills the store, unless all names of the demo are taken, and then posts about once
	 * a second until cancelled. Only users whom a demo registered post. When the instance
	 * stops, steps that have begun are finished.
	 * @param add whether to fill a store that has other users
	 * @param seed seed of all random choices
	 * @return lines that report progress; {@link StoreNotEmptyException} when there are
	 * users that the demo did not create; {@link NobodyException} when it has no users
	 * and no free name, or when all its users are deleted or suspended meanwhile
	 */
	public Flux<String> run(boolean add, long seed) {
		Random random = new Random(seed);
		return this.people.freeNames()
			.flatMapMany((free) -> free.isEmpty() ? postOn(random) : checkAlone(add).thenMany(fill(free, random)));
	}

	private Flux<String> postOn(Random random) {
		return this.people.find()
			.filter((known) -> !known.isEmpty())
			.switchIfEmpty(Mono.error(NobodyException::new))
			.flatMapMany((known) -> Flux
				.just("The users of an earlier demo are here; they post on. Their password was told at the start.")
				.concatWith(keepPosting(known, random)));
	}

	private Mono<Void> checkAlone(boolean add) {
		return add ? Mono.empty() : this.people.areAlone()
			.flatMap((alone) -> alone ? Mono.empty() : Mono.error(new StoreNotEmptyException()));
	}

	private Flux<String> fill(List<String> names, Random random) {
		String password = RandomTokens.ofBits(72);
		return Flux.just("The password of all users that this demo registers is " + password)
			.concatWith(this.people.register(names, password)
				.flatMapMany((fresh) -> fresh.isEmpty() ? postOn(random) : Flux
					.just("Registered " + fresh.size() + " users. Log in as " + fresh.get(0).username()
							+ " with that password.")
					.concatWith(this.steps.run(this.people.find()).flatMapMany((people) -> begin(people, random)))));
	}

	private Flux<String> begin(List<User> people, Random random) {
		return Flux.concat(follow(people, random).thenMany(Flux.just("They follow each other.")),
				posting(people, random).take(FIRST_POSTS)
					.thenMany(Flux.just("They have posted; now they post once a second. Ctrl-C stops it.")),
				keepPosting(people, random));
	}

	/**
	 * Lets the users follow each other. Users who registered early get more followers, as
	 * on a real site. A follow that a block forbids is passed over.
	 */
	private Mono<Void> follow(List<User> people, Random random) {
		List<Mono<Void>> steps = new ArrayList<>();
		for (User follower : people) {
			for (int i = 0; i < FOLLOWS; i++) {
				User followed = people.get((int) (people.size() * Math.pow(random.nextDouble(), 2)));
				if (!followed.equals(follower)) {
					steps.add(this.steps.run(this.follows.follow(follower.id(), followed.id()))
						.onErrorComplete(BlockedException.class));
				}
			}
		}
		return Flux.concat(steps).then();
	}

	private Flux<String> keepPosting(List<User> people, Random random) {
		return posting(people, random).delayElements(POST_EVERY);
	}

	/**
	 * Posts without end. Each post is made when it is requested. A user who is deleted or
	 * suspended by then is removed from the list, and another one posts.
	 */
	private Flux<String> posting(List<User> people, Random random) {
		return Mono.defer(() -> {
			if (people.isEmpty()) {
				return Mono.error(new NobodyException());
			}
			User author = people.get(random.nextInt(people.size()));
			Mono<String> post = this.posts.post(author, random);
			return this.steps.run(this.people.findAgain(author).flatMap((there) -> post))
				.switchIfEmpty(Mono.fromRunnable(() -> people.remove(author)));
		}).repeat();
	}

	/** The store has users that the demo did not create. */
	public static class StoreNotEmptyException extends RuntimeException {

		StoreNotEmptyException() {
			super("The store is not empty: there are users that no demo made. Use --add to put the demo's users "
					+ "beside them, or point spring.data.redis.* and retwis.locks.nodes to an empty store.");
		}

	}

	/** All names of the demo are taken, and no user whom a demo registered can post. */
	public static class NobodyException extends RuntimeException {

		NobodyException() {
			super("There is nobody to post: other users have all names of the demo, or its users are suspended or "
					+ "deleted, or the demo of an older version registered them and a newer one does not know them. "
					+ "Point spring.data.redis.* and retwis.locks.nodes to another store.");
		}

	}

}
