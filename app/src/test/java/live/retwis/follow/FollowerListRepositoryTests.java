package live.retwis.follow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;

import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.restriction.HiddenAuthors;
import live.retwis.testing.Simultaneous;
import live.retwis.testing.Site;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The followers of a user, in shards of five.
 */
@TestInstance(Lifecycle.PER_CLASS)
class FollowerListRepositoryTests {

	private static final int SHARD = 5;

	private static final Duration BOUND = Duration.ofSeconds(20);

	private Site site;

	private FollowerListRepository followers;

	@BeforeAll
	void start() {
		this.site = Site.another("--retwis.follow.shard=" + SHARD);
		this.followers = this.site.bean(FollowerListRepository.class);
	}

	@AfterAll
	void stop() {
		this.site.close();
	}

	private static <T> T get(Mono<T> mono) {
		return mono.blockOptional(BOUND).orElseThrow();
	}

	private void add(String userId, String followerId, long millis) {
		this.followers.add(userId, followerId, millis).block(BOUND);
	}

	private void remove(String userId, String followerId, Optional<Long> millis) {
		this.followers.remove(userId, followerId, millis).block(BOUND);
	}

	private static String id(int number) {
		return "%013d".formatted(number);
	}

	@Test
	void theFirstAndTheLastFollowersOfAShardAreReadWithoutThoseBetween() {
		String user = id(14);
		IntStream.rangeClosed(1, 7).forEach((i) -> add(user, id(1400 + i), 1000L * i));
		FollowerShards shards = get(this.followers.shards(user));
		assertThat(get(this.followers.ends(shards, 0, 2))).containsExactly(id(1401), id(1402), id(1404), id(1405));
		assertThat(get(this.followers.ends(shards, 1, 2))).containsExactly(id(1406), id(1407));
	}

	@Test
	void aNewShardOpensWhenTheLastIsFullAndNoFollowerMoves() {
		String user = id(1);
		IntStream.rangeClosed(1, 12).forEach((i) -> add(user, id(100 + i), 1000L * i));
		assertThat(this.site.redis().zrange("followers:" + user, 0, -1)).hasSize(5).contains(id(101), id(105));
		assertThat(this.site.redis().zrange("{followers:" + user + "}:1", 0, -1)).hasSize(5);
		assertThat(this.site.redis().zrange("{followers:" + user + "}:2", 0, -1)).containsExactly(id(111), id(112));
		assertThat(get(this.followers.count(user))).isEqualTo(12);
		assertThat(this.followers.recount(user, false).block(BOUND)).isNotEqualTo(true);
	}

	@Test
	void aLateFollowIsAddedToTheShardOfItsTime() {
		String user = id(2);
		IntStream.rangeClosed(1, 7).forEach((i) -> add(user, id(100 + i), 1000L * i));
		add(user, id(200), 2500);
		add(user, id(200), 2500);
		assertThat(this.site.redis().zscore("followers:" + user, id(200))).isEqualTo(2500);
		assertThat(get(this.followers.count(user))).isEqualTo(8);
	}

	@Test
	void anInterruptedUnfollowIsFinishedWithoutTheTimeOfTheFollow() {
		String user = id(3);
		IntStream.rangeClosed(1, 12).forEach((i) -> add(user, id(100 + i), 1000L * i));
		remove(user, id(107), Optional.empty());
		remove(user, id(107), Optional.empty());
		assertThat(get(this.followers.count(user))).isEqualTo(11);
		assertThat(get(this.followers.latest(user, Optional.empty(), 20))).extracting(Cursor::member)
			.doesNotContain(id(107))
			.hasSize(11);
	}

	@Test
	void anUnfollowOfAnEarlierFollowDoesNotUndoALaterOne() {
		String user = id(4);
		add(user, id(101), 2000);
		remove(user, id(101), Optional.of(1000L));
		assertThat(get(this.followers.count(user))).isOne();
	}

	@Test
	void manyFollowsAtOnceAreAllCountedAndListedOnce() throws Exception {
		String user = id(5);
		List<Integer> done = Simultaneous.times(64, (i) -> {
			add(user, id(100 + i), 1_000_000 + i % 8);
			return i;
		});
		assertThat(done).hasSize(64);
		assertThat(get(this.followers.latest(user, Optional.empty(), 100))).extracting(Cursor::member)
			.containsExactlyInAnyOrderElementsOf(IntStream.range(0, 64).mapToObj((i) -> id(100 + i)).toList());
		assertThat(get(this.followers.count(user))).isEqualTo(64);
		assertThat(this.followers.recount(user, false).block(BOUND)).isNotEqualTo(true);
	}

	@Test
	void commonFollowersAreCountedAcrossAllShards() {
		for (int shards : new int[] { 1, 2, 4, 5 }) {
			String user = id(600 + shards);
			List<String> followed = IntStream.range(0, 2 * SHARD * shards)
				.mapToObj((i) -> id(1000 * shards + i))
				.toList();
			for (int i = 0; i < followed.size(); i += 2) {
				add(user, followed.get(i), 1000L * (i + 1));
				this.site.redis().zadd(Keys.following(followed.get(i)), 1000 * (i + 1), user);
			}
			FollowerShards lists = get(this.followers.shards(user));
			assertThat(lists.last()).isEqualTo(shards - 1);
			for (int i = 0; i < 2; i++) {
				assertThat(get(this.followers.some(id(7), followed, HiddenAuthors.NOBODY, lists)).count())
					.isEqualTo(SHARD * shards);
			}
		}
	}

	@Test
	void whomTheViewerHidesIsNotCountedEvenIfTheAnswerWasCachedBefore() {
		String viewer = id(8);
		String user = id(9);
		List<String> others = IntStream.range(0, SHARD + 2).mapToObj((i) -> id(900 + i)).toList();
		for (String other : others) {
			add(user, other, 1000L + others.indexOf(other));
			this.site.redis().zadd(Keys.following(viewer), 1000, other);
			this.site.redis().zadd(Keys.following(user), 1000, other);
		}
		FollowRepository follows = this.site.bean(FollowRepository.class);
		for (int hidden = 0; hidden < 3; hidden++) {
			FollowRepository.Relation relation = get(follows.relation(viewer, user,
					Mono.just(new HiddenAuthors(Set.copyOf(others.subList(0, hidden)), Set.of()))));
			assertThat(relation.bothFollow()).as("both follow").isEqualTo(others.size() - hidden);
			assertThat(relation.followedBy().count()).as("followed by").isEqualTo(others.size() - hidden);
			assertThat(relation.followedBy().first()).hasSize(2).noneMatch(others.subList(0, hidden)::contains);
		}
	}

	@Test
	void pagesInBothDirectionsShowOneListAfterRandomChanges() {
		String user = id(6);
		long seed = 20_261;
		Random random = new Random(seed);
		Map<String, Long> model = new TreeMap<>();
		long clock = 1000;
		for (int i = 0; i < 300; i++) {
			String follower = id(random.nextInt(400));
			if (model.containsKey(follower)) {
				remove(user, follower, Optional.of(model.remove(follower)));
			}
			else {
				clock += random.nextInt(3);
				long millis = Math.max(1, clock - random.nextInt(4));
				model.put(follower, millis);
				add(user, follower, millis);
			}
		}
		List<Cursor> expected = model.entrySet()
			.stream()
			.map((entry) -> new Cursor(entry.getValue(), entry.getKey()))
			.sorted(Comparator.comparingLong(Cursor::score).thenComparing(Cursor::member))
			.toList();
		assertThat(this.site.redis().exists(Keys.followers(user, 3))).as("shards, seed %s", seed).isOne();
		assertThat(
				pages(Optional.of(new Cursor(0, "")), (at) -> get(this.followers.earliest(user, at.get(), 7)).places()))
			.as("earliest first, seed %s", seed)
			.isEqualTo(expected);
		List<Cursor> reversed = new ArrayList<>(expected);
		Collections.reverse(reversed);
		assertThat(pages(Optional.empty(), (at) -> get(this.followers.latest(user, at, 7))))
			.as("latest first, seed %s", seed)
			.isEqualTo(reversed);
		assertThat(get(this.followers.count(user))).isEqualTo(expected.size());
	}

	private static List<Cursor> pages(Optional<Cursor> from, Function<Optional<Cursor>, List<Cursor>> read) {
		List<Cursor> all = new ArrayList<>();
		Optional<Cursor> at = from;
		for (List<Cursor> page = read.apply(at); !page.isEmpty(); page = read.apply(at)) {
			all.addAll(page);
			at = Optional.of(page.get(page.size() - 1));
		}
		return all;
	}

}
