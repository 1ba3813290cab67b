package live.retwis.archive;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import live.retwis.redis.Cursor;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What was fetched from the archive stays in Redis for a while. */
abstract class FetchedPostsContract extends RepeatedMovesContract {

	private static List<String> fetchedOf(Site site, String id) {
		return Stream.of(site.redis().get(SharedArchivedPostCache.key(id))).filter(Objects::nonNull).toList();
	}

	@Test
	void whatWasFetchedStaysInRedisForAWhileInABoundedNumberOfSlots() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		move();
		assertThat(fetchedOf(site(), old)).isEmpty();
		assertThat(this.stranger.get("/posts/" + old).status()).isEqualTo(200);
		assertThat(fetchedOf(site(), old)).singleElement().asString().startsWith(old).contains("text of " + old);
		assertThat(site().redis().ttl(SharedArchivedPostCache.key(old))).isBetween(500L, 600L);
		assertThat(Stream.iterate(1, (i) -> i + 1)
			.limit(200_000)
			.map((i) -> SharedArchivedPostCache.key("0Z" + i))
			.distinct()).hasSizeLessThanOrEqualTo(SharedArchivedPostCache.SLOTS)
			.allMatch((key) -> key.length() <= "archived:65535".length());
	}

	@Test
	void aLongPostIsNotKept() {
		Cursor place = new Cursor(System.currentTimeMillis() - Duration.ofDays(200).toMillis(), "0Y%011d".formatted(1));
		this.store.plant(this.author, place, Map.of("body", "x".repeat(SharedArchivedPostCache.LONGEST)));
		move();
		assertThat(this.stranger.get("/posts/" + place.member()).status()).isEqualTo(200);
		assertThat(fetchedOf(site(), place.member())).noneMatch((text) -> text.startsWith(place.member()));
	}

	@Test
	void aFetchThatBeganBeforeAChangeIsNotKept() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		move();
		SharedArchivedPostCache cache = site().bean(SharedArchivedPostCache.class);
		ArchivedPostRepository archive = site().bean(ArchivedPostRepository.class);
		Map<String, ArchivedPost> stale = cache
			.findAll(List.of(old),
					(ids) -> archive.findAll(ids).delayUntil((found) -> archive.setCount(old, "likes", 7)))
			.blockOptional(BOUND)
			.orElseThrow();
		assertThat(stale.values()).hasSize(1).noneMatch((post) -> post.fields().containsValue("7"));
		assertThat(fetchedOf(site(), old)).isEmpty();
		assertThat(archive.findCached(List.of(old)).blockOptional(BOUND).orElseThrow().values()).singleElement()
			.matches((post) -> post.fields().containsValue("7"));
	}

	@Test
	void ofTwoFetchesTheLaterOneIsKept() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		move();
		SharedArchivedPostCache cache = site().bean(SharedArchivedPostCache.class);
		ArchivedPostRepository archive = site().bean(ArchivedPostRepository.class);
		cache
			.findAll(List.of(old),
					(ids) -> archive.findAll(ids)
						.delayUntil((found) -> archive.setCount(old, "likes", 7))
						.delayUntil((found) -> archive.findCached(List.of(old))))
			.block(BOUND);
		assertThat(fetchedOf(site(), old)).singleElement().asString().contains("\"likes\":\"7\"");
	}

	@Test
	void aDeletedPostLeavesWhatWasFetchedAtOnce() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		move();
		assertThat(this.stranger.get("/posts/" + old).status()).isEqualTo(200);
		assertThat(fetchedOf(site(), old)).hasSize(1);
		assertThat(this.author.submit("/posts/" + old + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site());
		assertThat(this.stranger.get("/posts/" + old).status()).isEqualTo(404);
		assertThat(fetchedOf(site(), old)).isEmpty();
	}

	/** As an import makes it, whose ids anybody can guess. */
	@Test
	void anIdThatNobodyHadIsFoundWhenItsPostHasMoved() {
		Cursor place = new Cursor(System.currentTimeMillis() - Duration.ofDays(200).toMillis(), "0Y%011d".formatted(2));
		assertThat(this.stranger.get("/posts/" + place.member()).status()).isEqualTo(404);
		assertThat(fetchedOf(site(), place.member())).containsExactly(place.member());
		this.store.plant(this.author, place, Map.of());
		move();
		assertThat(this.stranger.get("/posts/" + place.member()).status()).isEqualTo(200);
	}

	/** A place whose id has the slot of another id. */
	private static Cursor placeInTheSlotOf(String id) {
		String slot = SharedArchivedPostCache.key(id);
		return Stream.iterate(1, (i) -> i + 1)
			.map((i) -> "0Y%011d".formatted(i))
			.filter((other) -> SharedArchivedPostCache.key(other).equals(slot))
			.map((other) -> new Cursor(System.currentTimeMillis() - Duration.ofDays(200).toMillis(), other))
			.findFirst()
			.orElseThrow();
	}

	@Test
	void anIdThatNobodyHasTakesNoSlotFromAPost() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		move();
		assertThat(this.stranger.get("/posts/" + old).status()).isEqualTo(200);
		String nobodys = placeInTheSlotOf(old).member();
		assertThat(this.stranger.get("/posts/" + nobodys).status()).isEqualTo(404);
		assertThat(fetchedOf(site(), old)).singleElement().asString().startsWith(old);
	}

	@Test
	void aPostThatIsAskedForTwiceTakesTheSlotOfAnother() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		Cursor place = placeInTheSlotOf(old);
		this.store.plant(this.author, place, Map.of());
		move();
		ArchivedPostRepository archive = site().bean(ArchivedPostRepository.class);
		archive.findCached(List.of(old)).block(BOUND);
		assertThat(fetchedOf(site(), old)).singleElement().asString().startsWith(old);
		for (int i = 0; i < 2; i++) {
			assertThat(archive.findCached(List.of(place.member())).block(BOUND)).containsKey(place.member());
		}
		assertThat(fetchedOf(site(), old)).singleElement().asString().startsWith(place.member());
	}

	@Test
	void whatAnotherReleaseHasKeptIsFetchedAgain() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		move();
		site().redis().set(SharedArchivedPostCache.key(old), old + "{of another form}");
		assertThat(this.stranger.get("/posts/" + old).body()).contains("text of " + old);
		assertThat(fetchedOf(site(), old)).singleElement().asString().contains("text of " + old);
	}

	@Test
	void aSlotThatHoldsSomethingElseTakesNoPostOffAPage() {
		List<String> old = this.store.plant(this.author, 3, 200);
		move();
		String slot = SharedArchivedPostCache.key(old.get(1));
		site().redis().del(slot);
		site().redis().hset(slot, "what", "?");
		assertThat(pages(this.stranger, profile())).containsExactly(old);
		assertThat(fetchedOf(site(), old.get(1))).singleElement().asString().startsWith(old.get(1));
	}

	@Test
	void archivedPostsAreReadWhileRedisTakesNoWrites() {
		List<String> all = new ArrayList<>(this.store.plant(this.author, 5, 1));
		all.addAll(this.store.plant(this.author, 30, 200));
		move();
		site().redis().configSet("min-replicas-to-write", "1");
		try {
			assertThat(this.stranger.get("/posts/" + all.get(34)).status()).isEqualTo(200);
			assertThat(pages(this.stranger, profile()).stream().flatMap(List::stream)).containsExactlyElementsOf(all);
		}
		finally {
			site().redis().configSet("min-replicas-to-write", "0");
		}
	}

}
