package live.retwis.archive;

import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** What an archive does for the site, on whichever database. */
abstract class ArchiveContract {

	static final Duration BOUND = Duration.ofSeconds(30);

	/** The site with the archive. */
	abstract Site site();

	final OldStore store = new OldStore(site());

	final Visitor author = Visitor.registered(site());

	final Visitor stranger = Visitor.of(site());

	void move() {
		site().bean(ArchiveMover.class).moveAll().block(BOUND);
	}

	void sweep() {
		site().bean(ArchiveReconciler.class).sweep(Long.MAX_VALUE).block(BOUND);
	}

	/** Writes a post to the archive as the mover does, and goes no further. */
	private void copy(String id) {
		Map<String, String> fields = site().redis().hgetall(Keys.post(id));
		site().bean(ArchivedPostRepository.class)
			.save(List.of(new ArchivedPost(id, Long.parseLong(fields.get("created")), false, fields)), Long.MAX_VALUE)
			.block(BOUND);
	}

	List<String> archived(Collection<String> ids) {
		return site().bean(ArchivedPostRepository.class)
			.readBack(ids)
			.blockOptional(BOUND)
			.orElseThrow()
			.keySet()
			.stream()
			.sorted()
			.toList();
	}

	/** The ids on all pages of a list, page by page. */
	List<List<String>> pages(Visitor visitor, String path) {
		List<List<String>> pages = new ArrayList<>();
		String next = path;
		while (next != null) {
			Answer answer = visitor.getJson(next);
			assertThat(answer.status()).as(next).isEqualTo(200);
			List<String> ids = new ArrayList<>();
			answer.json().get("posts").forEach((post) -> ids.add(post.get("id").asString()));
			pages.add(ids);
			JsonNode older = answer.json().get("older");
			next = (older == null || older.isNull()) ? null : path + "?before=" + older.asString();
			assertThat(pages).hasSizeLessThan(100);
		}
		return pages;
	}

	private static String likes(String postId, int count) {
		return "/posts/" + postId + "/like\"" + ((count > 0) ? " data-count=\"" + count + "\"" : "") + ">";
	}

	/** A like counts when the workers have read its log entry. */
	void awaitLikes(String postId, int count) {
		Awaitility.await()
			.atMost(BOUND)
			.untilAsserted(
					() -> assertThat(this.stranger.get("/posts/" + postId).body()).contains(likes(postId, count)));
	}

	private String profile() {
		return "/@" + this.author.name();
	}

	/**
	 * Otherwise a mover that slept would bring back a post that was deleted meanwhile.
	 */
	@Test
	void aPostThatReachesTheDatabaseTooLateIsNotStored() {
		ArchivedPostRepository archive = site().bean(ArchivedPostRepository.class);
		String id = "0Z%011d".formatted(System.nanoTime() % 100_000_000_000L);
		ArchivedPost post = new ArchivedPost(id, 1, false,
				Map.of("author", this.author.id(), "username", this.author.name(), "created", "1", "body", "too late"));
		long now = site().bean(ArchiveDatabase.class).clock().blockOptional(BOUND).orElseThrow();
		assertThat(now).isCloseTo(System.currentTimeMillis(), within(5_000L));
		archive.save(List.of(post), now).block(BOUND);
		assertThat(archive.readBack(List.of(id)).block(BOUND)).isEmpty();
		archive.save(List.of(post), now + BOUND.toMillis()).block(BOUND);
		assertThat(archive.readBack(List.of(id)).block(BOUND)).containsValue(post);
	}

	@Test
	void everyPageOfAProfileIsTheSameAfterPostsHaveMoved() {
		List<String> young = this.store.plant(this.author, 33, 1);
		List<String> old = this.store.plant(this.author, 57, 91);
		List<List<String>> before = pages(this.stranger, profile());
		assertThat(before.stream().flatMap(List::stream)).hasSize(90);
		move();
		assertThat(this.store.inRedis(old)).isEmpty();
		assertThat(this.store.inRedis(young)).hasSameSizeAs(young);
		assertThat(this.store.listed(this.author)).hasSameElementsAs(young);
		assertThat(pages(this.stranger, profile())).isEqualTo(before);
		assertThat(this.stranger.get(profile()).body()).contains("<b>90</b> posts<");
	}

	@Test
	void movingAgainChangesNothing() {
		List<String> old = this.store.plant(this.author, 12, 100);
		move();
		List<List<String>> once = pages(this.stranger, profile());
		move();
		assertThat(pages(this.stranger, profile())).isEqualTo(once);
		assertThat(this.stranger.get(profile()).body()).contains("<b>12</b> posts<");
		assertThat(archived(old)).hasSameElementsAs(old);
	}

	@Test
	void anAuthorsNewestPostsStayAndOlderOnesMoveAlthoughTheyAreYoung() {
		List<String> all = this.store.plant(this.author, 70, 1);
		move();
		assertThat(this.store.listed(this.author)).hasSize(50).hasSameElementsAs(all.subList(0, 50));
		assertThat(pages(this.stranger, profile()).stream().flatMap(List::stream)).containsExactlyElementsOf(all);
	}

	@Test
	void postsOfTheSameMillisecondKeepTheirOrder() {
		long millis = System.currentTimeMillis() - Duration.ofDays(120).toMillis();
		for (int i = 0; i < 45; i++) {
			this.store.plant(this.author,
					new Cursor(millis, "0Y%03d%08d".formatted(i, System.nanoTime() % 100_000_000L)), Map.of());
		}
		List<List<String>> before = pages(this.stranger, profile());
		move();
		assertThat(pages(this.stranger, profile())).isEqualTo(before);
	}

	@Test
	void aPageOfAnArchivedPostShowsItsTextAndItsCounts() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		this.author.submit("/posts/" + old + "/like");
		awaitLikes(old, 1);
		move();
		assertThat(this.store.inRedis(List.of(old))).isEmpty();
		Answer page = this.stranger.get("/posts/" + old);
		assertThat(page.status()).isEqualTo(200);
		assertThat(page.body()).contains("text of " + old, likes(old, 1));
	}

	@Test
	void likesOfAnArchivedPostCount() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		move();
		Visitor reader = Visitor.registered(site());
		assertThat(reader.submit("/posts/" + old + "/like").status()).isEqualTo(303);
		awaitLikes(old, 1);
		assertThat(reader.submit("/posts/" + old + "/unlike").status()).isEqualTo(303);
		awaitLikes(old, 0);
		assertThat(this.store.inRedis(List.of(old))).isEmpty();
	}

	@Test
	void aReplyToAnArchivedPostIsShownBelowIt() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		move();
		Visitor reader = Visitor.registered(site());
		assertThat(reader.postJson("body", "late reply", "reply_to", old).status()).isEqualTo(201);
		FanOutWait.settle(site());
		assertThat(this.stranger.get("/posts/" + old).body()).contains("late reply", "text of " + old);
	}

	@Test
	void aDeletedArchivedPostIsGoneAtOnceAndLeavesTheArchive() {
		List<String> old = this.store.plant(this.author, 3, 200);
		move();
		Visitor other = Visitor.registered(site());
		assertThat(other.submit("/posts/" + old.get(1) + "/delete").status()).isEqualTo(403);
		assertThat(this.author.submit("/posts/" + old.get(1) + "/delete").status()).isEqualTo(303);
		assertThat(this.stranger.get("/posts/" + old.get(1)).status()).isEqualTo(404);
		assertThat(pages(this.stranger, profile())).containsExactly(List.of(old.get(0), old.get(2)));
		FanOutWait.settle(site());
		sweep();
		assertThat(archived(old)).containsExactlyInAnyOrder(old.get(0), old.get(2));
		assertThat(this.stranger.get("/posts/" + old.get(1)).status()).isEqualTo(404);
		assertThat(site().redis().ttl(Keys.post(old.get(1)))).isPositive();
		assertThat(this.stranger.get(profile()).body()).contains("<b>2</b> posts<");
	}

	@Test
	void anArchivedPostWhoseKeyHoldsSomethingElseCannotBeDeleted() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		move();
		site().redis().set(Keys.post(old), "what?");
		assertThat(this.author.submit("/posts/" + old + "/delete").status()).isEqualTo(404);
		site().redis().del(Keys.post(old));
		assertThat(this.author.submit("/posts/" + old + "/delete").status()).isEqualTo(303);
	}

	@Test
	void aDeletedPostWhoseKeyHoldsSomethingElseHoldsNoOtherUp() {
		List<String> old = this.store.plant(this.author, 3, 200);
		move();
		List<String> gone = old.subList(0, 2);
		gone.forEach((post) -> assertThat(this.author.submit("/posts/" + post + "/delete").status()).isEqualTo(303));
		site().redis().set(Keys.post(gone.get(0)), "what?");
		FanOutWait.settle(site());
		sweep();
		assertThat(archived(old)).containsExactly(old.get(2));
		site().redis().del(Keys.post(gone.get(0)));
		assertThat(this.stranger.get("/posts/" + gone.get(0)).status()).isEqualTo(404);
	}

	/** The mover has written it, and has not yet removed it from Redis. */
	@Test
	void aPostThatIsDeletedWhileItMovesDoesNotComeBack() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		copy(old);
		site().redis().hset(Keys.post(old), "archived", "1");
		assertThat(this.author.submit("/posts/" + old + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site());
		move();
		sweep();
		assertThat(archived(List.of(old))).isEmpty();
		site().redis().del(Keys.post(old));
		assertThat(this.stranger.get("/posts/" + old).status()).isEqualTo(404);
	}

	/** Redis has lost its last second, and with it the mover's mark. */
	@Test
	void aDeletedPostWhoseMarkIsLostDoesNotComeBack() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		copy(old);
		assertThat(this.author.submit("/posts/" + old + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site());
		sweep();
		assertThat(archived(List.of(old))).isEmpty();
		assertThat(site().redis().ttl(Keys.post(old))).isPositive();
		site().redis().del(Keys.post(old));
		assertThat(this.stranger.get("/posts/" + old).status()).isEqualTo(404);
	}

	@Test
	void theArchiveIsNotToldOfADeletedPostThatIsTooYoungForIt() {
		String young = this.author.post("young");
		assertThat(this.author.submit("/posts/" + young + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site());
		assertThat(site().redis().ttl(Keys.post(young))).isPositive();
		assertThat(site().redis().zscore(Keys.ARCHIVE_DELETED, young)).isNull();
	}

	/** Such a post was never counted among those in the archive. */
	@Test
	void aPostThatIsDeletedWhileItMovesLeavesTheWayToOthers() {
		String kept = this.store.plant(this.author, 1, 200).get(0);
		move();
		String old = this.store.plant(this.author, 1, 100).get(0);
		copy(old);
		site().redis().hset(Keys.post(old), "archived", "1");
		assertThat(this.author.submit("/posts/" + old + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site());
		sweep();
		assertThat(archived(List.of(kept, old))).containsExactly(kept);
		assertThat(pages(this.stranger, profile())).containsExactly(List.of(kept));
	}

	@Test
	void whenTheLastArchivedPostIsDeletedTheListSaysNothingOfTheArchive() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		move();
		assertThat(this.author.submit("/posts/" + old + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site());
		sweep();
		assertThat(site().redis().exists(Keys.postsOf(this.author.id()))).isZero();
	}

	/** The mover died after it had removed the post, and before it changed the list. */
	@Test
	void aMoveThatBrokeOffIsFinishedByTheNextOne() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		copy(old);
		site().redis().del(Keys.post(old));
		assertThat(pages(this.stranger, profile())).containsExactly(List.of(old));
		move();
		assertThat(this.store.listed(this.author)).isEmpty();
		assertThat(pages(this.stranger, profile())).containsExactly(List.of(old));
	}

	@Test
	void aHomeTimelineGoesOnIntoTheArchive() {
		Visitor reader = Visitor.registered(site());
		Visitor other = Visitor.registered(site());
		List<String> all = new ArrayList<>();
		for (int i = 0; i < 60; i++) {
			Visitor by = (i % 3 == 0) ? other : this.author;
			all.add(this.store.plant(by, 1, 60 + i).get(0));
		}
		reader.follow(this.author);
		reader.follow(other);
		FanOutWait.settle(site());
		assertThat(pages(reader, "/home").stream().flatMap(List::stream)).containsExactlyElementsOf(all);
		move();
		assertThat(pages(reader, "/home").stream().flatMap(List::stream)).containsExactlyElementsOf(all);
		site().redis().del(Keys.homeTimeline(reader.id()), Keys.homeCompleteFrom(reader.id()));
		assertThat(pages(reader, "/home").stream().flatMap(List::stream)).containsExactlyElementsOf(all);
		FanOutWait.settle(site());
		assertThat(pages(reader, "/home").stream().flatMap(List::stream)).containsExactlyElementsOf(all);
	}

	@Test
	void whoUnfollowsSeesNoArchivedPostsAnyMore() {
		Visitor reader = Visitor.registered(site());
		this.store.plant(this.author, 5, 88);
		reader.follow(this.author);
		FanOutWait.settle(site());
		assertThat(pages(reader, "/home").get(0)).hasSize(5);
		move();
		reader.unfollow(this.author);
		FanOutWait.settle(site());
		assertThat(pages(reader, "/home").get(0)).isEmpty();
	}

	@Test
	void anExportHasArchivedPosts() {
		List<String> all = this.store.plant(this.author, 30, 70);
		move();
		String export = this.author.get("/settings/export").body();
		assertThat(all).allMatch(export::contains);
	}

	@Test
	void anAccountIsDeletedInTheArchiveToo() {
		List<String> all = this.store.plant(this.author, 30, 70);
		String id = this.author.id();
		move();
		this.author.get("/settings");
		assertThat(this.author.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
		FanOutWait.settle(site());
		assertThat(archived(all)).isEmpty();
		assertThat(site().redis().exists(Keys.postsOf(id), Keys.pulledOf(id))).isZero();
		assertThat(all).allMatch((post) -> this.stranger.get("/posts/" + post).status() == 404);
	}

	@Test
	void aProfileShowsThePostsOfThisDayOfFormerYears() {
		ZonedDateTime noon = ZonedDateTime.now(ZoneOffset.UTC).withHour(12);
		List<String> sameDay = new ArrayList<>();
		for (int years = 1; years <= 3; years++) {
			long millis = noon.minusYears(years).toInstant().toEpochMilli();
			String id = "0W%011d".formatted(System.nanoTime() % 100_000_000_000L);
			sameDay.add(this.store.plant(this.author, new Cursor(millis, id), Map.of()));
			this.store.plant(this.author, new Cursor(millis + Duration.ofDays(2).toMillis(), "0V" + id.substring(2)),
					Map.of());
		}
		assertThat(this.stranger.get(profile()).body()).doesNotContain("on-this-day");
		move();
		assertThat(this.stranger.get(profile()).body()).contains(profile() + "/on-this-day");
		assertThat(this.stranger.get(profile() + "/on-this-day").postIds()).containsExactlyElementsOf(sameDay);
		assertThat(pages(this.stranger, profile() + "/on-this-day")).containsExactly(sameDay);
		assertThat(this.stranger.get("/@nobody_at_all/on-this-day").status()).isEqualTo(404);
	}

	@Test
	void manyPostsOfAPageAreReadWithOneStatement() {
		List<String> all = this.store.plant(this.author, 20, 200);
		move();
		List<String> found = Flux.fromIterable(all)
			.flatMap((id) -> site().bean(PostArchive.class).find(id))
			.map(ArchivedPost::id)
			.collectList()
			.blockOptional(BOUND)
			.orElseThrow();
		assertThat(found).hasSameElementsAs(all);
	}

	@Test
	void aProfileWhoseFirstPageIsArchivedGoesOnToOlderPages() {
		List<String> old = this.store.plant(this.author, 45, 100);
		move();
		assertThat(pages(this.stranger, profile()).stream().flatMap(List::stream)).containsExactlyElementsOf(old);
	}

	/** The worker has removed its place, so the list never counted it as archived. */
	@Test
	void aPostThatIsDeletedWhileItMovesTakesNoOtherWithIt() {
		List<String> older = this.store.plant(this.author, 2, 300);
		move();
		String old = this.store.plant(this.author, 1, 200).get(0);
		copy(old);
		site().redis().hset(Keys.post(old), "archived", "1");
		assertThat(this.author.submit("/posts/" + old + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site());
		sweep();
		assertThat(pages(this.stranger, profile())).containsExactly(older);
		assertThat(this.stranger.get(profile()).body()).contains("<b>2</b> posts<");
	}

	@Test
	void aPostThatSeveralInstancesSweepIsUncountedOnce() {
		List<String> old = this.store.plant(this.author, 4, 200);
		move();
		assertThat(this.author.submit("/posts/" + old.get(0) + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site());
		ArchiveReconciler sweeper = site().bean(ArchiveReconciler.class);
		Flux.range(0, 8).flatMap((i) -> sweeper.sweep(Long.MAX_VALUE)).blockLast(BOUND);
		assertThat(pages(this.stranger, profile())).containsExactly(old.subList(1, 4));
		assertThat(this.stranger.get(profile()).body()).contains("<b>3</b> posts<");
	}

	/** A client that goes away cancels what it waits for. */
	@Test
	void readersWhoGoAwayDoNotHarmOthers() {
		List<String> old = this.store.plant(this.author, 40, 200);
		move();
		ArchivedPostRepository archive = site().bean(ArchivedPostRepository.class);
		for (int i = 0; i < 300; i++) {
			int some = i;
			Flux.range(0, 4)
				.flatMap((each) -> archive.findAll(old))
				.takeUntilOther(Mono.delay(Duration.ofNanos(some * 20_000L)))
				.blockLast(BOUND);
		}
		assertThat(archived(old)).hasSameElementsAs(old);
		List<String> more = this.store.plant(this.author, 10, 300);
		move();
		assertThat(archived(more)).hasSameElementsAs(more);
	}

	/** The database refuses one of them, because its author's name is too long for it. */
	@Test
	void aPostThatTheArchiveRefusesKeepsOnlyItsAuthorsPostsInRedis() {
		List<String> old = this.store.plant(this.author, 60, 100);
		site().redis().hset(Keys.post(old.get(30)), "username", "x".repeat(101));
		Visitor other = Visitor.registered(site());
		List<String> others = this.store.plant(other, 3, 100);
		move();
		assertThat(archived(others)).hasSameElementsAs(others);
		assertThat(this.store.listed(this.author)).hasSameElementsAs(old.subList(0, 31));
		assertThat(pages(this.stranger, profile()).stream().flatMap(List::stream)).containsExactlyElementsOf(old);
		site().redis().hset(Keys.post(old.get(30)), "username", this.author.name());
		move();
		assertThat(this.store.listed(this.author)).isEmpty();
		assertThat(pages(this.stranger, profile()).stream().flatMap(List::stream)).containsExactlyElementsOf(old);
	}

	@Test
	void anAuthorWhoseListCannotBeReadHoldsUpNoOther() {
		String broken = Keys.postsOf("0ZZZZZZZZZZZZ");
		List<String> old = this.store.plant(this.author, 3, 100);
		site().redis().set(broken, "what?");
		try {
			move();
		}
		finally {
			site().redis().del(broken);
		}
		assertThat(archived(old)).hasSameElementsAs(old);
	}

	private static List<String> fetchedOf(Site site, String id) {
		return Stream.of(site.redis().get(ArchivedPostCache.key(id))).filter(Objects::nonNull).toList();
	}

	@Test
	void whatWasFetchedStaysInRedisForAWhileInABoundedNumberOfSlots() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		move();
		assertThat(fetchedOf(site(), old)).isEmpty();
		assertThat(this.stranger.get("/posts/" + old).status()).isEqualTo(200);
		assertThat(fetchedOf(site(), old)).singleElement().asString().startsWith(old).contains("text of " + old);
		assertThat(site().redis().ttl(ArchivedPostCache.key(old))).isBetween(500L, 600L);
		assertThat(
				Stream.iterate(1, (i) -> i + 1).limit(200_000).map((i) -> ArchivedPostCache.key("0Z" + i)).distinct())
			.hasSizeLessThanOrEqualTo(ArchivedPostCache.SLOTS)
			.allMatch((key) -> key.length() <= "archived:65535".length());
	}

	@Test
	void aLongPostIsNotKept() {
		Cursor place = new Cursor(System.currentTimeMillis() - Duration.ofDays(200).toMillis(), "0Y%011d".formatted(1));
		this.store.plant(this.author, place, Map.of("body", "x".repeat(ArchivedPostCache.LONGEST)));
		move();
		assertThat(this.stranger.get("/posts/" + place.member()).status()).isEqualTo(200);
		assertThat(fetchedOf(site(), place.member())).noneMatch((text) -> text.startsWith(place.member()));
	}

	@Test
	void aFetchThatBeganBeforeAChangeIsNotKept() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		move();
		ArchivedPostCache cache = site().bean(ArchivedPostCache.class);
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
		ArchivedPostCache cache = site().bean(ArchivedPostCache.class);
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

	@Test
	void whatAnotherReleaseHasKeptIsFetchedAgain() {
		String old = this.store.plant(this.author, 1, 200).get(0);
		move();
		site().redis().set(ArchivedPostCache.key(old), old + "{of another form}");
		assertThat(this.stranger.get("/posts/" + old).body()).contains("text of " + old);
		assertThat(fetchedOf(site(), old)).singleElement().asString().contains("text of " + old);
	}

	@Test
	void aSlotThatHoldsSomethingElseTakesNoPostOffAPage() {
		List<String> old = this.store.plant(this.author, 3, 200);
		move();
		String slot = ArchivedPostCache.key(old.get(1));
		site().redis().del(slot);
		site().redis().hset(slot, "what", "?");
		assertThat(pages(this.stranger, profile())).containsExactly(old);
		assertThat(fetchedOf(site(), old.get(1))).singleElement().asString().startsWith(old.get(1));
	}

}
