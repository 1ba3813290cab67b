package live.retwis.archive;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Visitor;
import live.retwis.timeline.TimelineRepository;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** What an archive does for the site, on whichever database. */
abstract class ArchiveContract extends ArchiveScene {

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
	void anExportGoesOnBetweenPostsOfTheSameMillisecond() {
		List<String> ids = this.store.plant(this.author, 2, 200).stream().sorted().toList();
		long millis = System.currentTimeMillis() - Duration.ofDays(200).toMillis();
		ids.forEach((id) -> site().redis().zadd(Keys.postsOf(this.author.id()), millis, id));
		move();
		assertThat(site().bean(TimelineRepository.class)
			.oldestOf(this.author.id(), new Cursor(millis, ids.get(0)), 10)
			.block(BOUND)).containsExactly(new Cursor(millis, ids.get(1)));
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
	@Tag("slow")
	@Tag("long")
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
		long made = daysAgo(110);
		String original = this.store.plant(Visitor.registered(site()), 1, 80).get(0);
		String repost = this.store.plant(this.author, new Cursor(made, newId()), Map.of("repost_of", original));
		List<String> all = this.store.plant(this.author, 30, 70);
		move();
		assertThat(archived(List.of(repost))).containsExactly(repost);
		JsonNode export = this.author.get("/settings/export").json();
		assertThat(export.get("posts").valueStream().map((post) -> post.get("id").asString()))
			.containsExactlyInAnyOrderElementsOf(all);
		assertThat(export.get("reposts")).hasSize(1);
		assertThat(export.get("reposts").get(0).get("post").asString()).isEqualTo(original);
		assertThat(Instant.parse(export.get("reposts").get(0).get("reposted_at").asString()))
			.isEqualTo(Instant.ofEpochMilli(made));
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

	/** Where posts stay in Redis for years, or before they have moved. */
	@Test
	void aProfileShowsThePostsOfThisDayAlsoThoseThatAreStillInRedis() {
		ZonedDateTime noon = ZonedDateTime.now(ZoneOffset.UTC).withHour(12);
		List<String> sameDay = new ArrayList<>();
		for (int years = 4; years >= 1; years--) {
			long millis = noon.minusYears(years).toInstant().toEpochMilli();
			String id = "0W%011d".formatted(System.nanoTime() % 100_000_000_000L);
			sameDay.add(0, this.store.plant(this.author, new Cursor(millis, id), Map.of()));
			this.store.plant(this.author, new Cursor(millis - Duration.ofDays(2).toMillis(), "0V" + id.substring(2)),
					Map.of());
			if (years == 3) {
				move();
			}
		}
		assertThat(this.store.inRedis(sameDay)).isEqualTo(sameDay.subList(0, 2));
		assertThat(this.stranger.get(profile() + "/on-this-day").postIds()).isEqualTo(sameDay);
		move();
		assertThat(this.stranger.get(profile() + "/on-this-day").postIds()).isEqualTo(sameDay);
	}

	@Test
	void aProfileWhoseFirstPageIsArchivedGoesOnToOlderPages() {
		List<String> old = this.store.plant(this.author, 45, 100);
		move();
		assertThat(pages(this.stranger, profile()).stream().flatMap(List::stream)).containsExactlyElementsOf(old);
	}

	/** A client that goes away cancels what it waits for. */
	@Test
	@Tag("slow")
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

}
