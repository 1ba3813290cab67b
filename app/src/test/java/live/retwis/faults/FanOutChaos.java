package live.retwis.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import live.retwis.doctor.Doctor;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.SeededFollowers;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two instances push a post to 20,000 followers in ten tasks while something fails. In
 * the end each timeline has the post once, and the doctor finds nothing wrong.
 */
class FanOutChaos {

	private static final int FANS = 20_000;

	private static final int SHARD = 2_000;

	/**
	 * Other instances take over tasks after ten seconds, and look for them every three
	 * seconds.
	 */
	private static final Duration LIMIT = Duration.ofSeconds(120);

	private static final String[] SETTINGS = { "--retwis.timeline.push-limit=50000", "--retwis.follow.shard=" + SHARD };

	private final HarmedDataNode store = HarmedDataNode.start();

	private Instances instances;

	private Visitor author;

	private SeededFollowers fans;

	private String before;

	@BeforeEach
	void start() {
		this.instances = Instances.start(this.store, SETTINGS);
		this.author = Visitor.registered(this.instances.get(1).origin());
		this.before = this.author.post("before");
		settle();
		this.fans = SeededFollowers.plant("127.0.0.1", this.store.process().port(), this.author.id(), FANS, SHARD);
		this.fans.read(this.before,
				Objects.requireNonNull(this.store.commands().zscore("posts:" + this.author.id(), this.before))
					.longValue());
	}

	@AfterEach
	void stop() {
		this.fans.close();
		this.instances.close();
		this.store.close();
	}

	/** Waits until some tasks are done and some are not. */
	private void awaitMiddle() {
		Awaitility.await("the middle of the fan-out")
			.pollInterval(Duration.ofMillis(2))
			.pollDelay(Duration.ZERO)
			.atMost(LIMIT)
			.until(() -> {
				long left = this.store.commands().zcard(Keys.UNFINISHED);
				return left > 0 && left < FANS / SHARD;
			});
	}

	private void settle() {
		Awaitility.await("the end of the fan-out")
			.atMost(LIMIT)
			.ignoreExceptions()
			.until(() -> this.store.commands().zcard(Keys.UNFINISHED) == 0
					&& this.store.commands().xpending(Keys.LOG, "fanout").getCount() == 0
					&& this.store.commands()
						.xinfoGroups(Keys.LOG)
						.toString()
						.contains(this.store.head().position().entryId()));
	}

	private void assertWhole(String post) {
		settle();
		assertThat(this.fans.have(post)).hasSize(FANS);
		assertNothingWrong();
	}

	private void assertNothingWrong() {
		try (Site site = Site.startAt("127.0.0.1", this.store.process().port(), SETTINGS)) {
			assertThat(Objects.requireNonNull(site.bean(Doctor.class).examine(false, true, (progress) -> {
			}).map(Doctor.Line::text).collectList().block(Duration.ofMinutes(5)))).singleElement()
				.asString()
				.endsWith("every rule holds.");
		}
	}

	@Test
	void everyTimelineHasThePostAfterAnInstanceWasKilled() {
		String post = this.author.post("to everybody");
		awaitMiddle();
		this.instances.get(0).kill();
		assertWhole(post);
	}

	@Test
	void everyTimelineHasThePostAfterAllInstancesWereKilled() {
		String post = this.author.post("to everybody");
		awaitMiddle();
		this.instances.get(0).kill();
		this.instances.get(1).kill();
		this.instances.startAnew(0);
		this.instances.startAnew(1);
		assertWhole(post);
	}

	@Test
	void everyTimelineHasThePostAfterTheDataNodeWasKilled() {
		String post = this.author.post("to everybody");
		awaitMiddle();
		this.store.process().kill();
		this.store.process().restart();
		assertWhole(post);
	}

	@Test
	void everyTimelineIsRightAfterFollowsUnfollowsAndADeletion() {
		List<Visitor> comeAndGo = IntStream.range(0, 20)
			.mapToObj((i) -> Visitor.registered(this.instances.get(1).origin()))
			.toList();
		comeAndGo.subList(0, 10).forEach((one) -> one.follow(this.author));
		settle();
		String stays = this.author.post("stays");
		String goes = this.author.post("goes");
		awaitMiddle();
		List<Visitor> gone = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			assertThat(comeAndGo.get(i).submit("/@" + this.author.name() + "/unfollow").status()).isEqualTo(303);
			gone.add(comeAndGo.get(i));
			comeAndGo.get(10 + i).follow(this.author);
		}
		assertThat(this.author.submit("/posts/" + goes + "/delete").status()).isEqualTo(303);
		assertWhole(stays);
		assertThat(this.fans.have(goes)).isEmpty();
		gone.forEach((one) -> assertThat(one.get("/home").posts()).isEmpty());
		comeAndGo.subList(10, 20)
			.forEach((one) -> assertThat(one.get("/home").posts()).containsExactly("stays", "before"));
	}

	@Test
	void aDeletedAccountIsRemovedWhileTheInstancesThatDoSoAreKilled() {
		String author = this.author.id();
		this.author.get("/settings");
		assertThat(this.author.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
		Awaitility.await("the middle of clearing away")
			.pollInterval(Duration.ofMillis(2))
			.pollDelay(Duration.ZERO)
			.atMost(LIMIT)
			.until(() -> this.store.commands().zcard("followers:" + author) < SHARD);
		this.instances.get(0).kill();
		this.instances.get(1).kill();
		assertThat(this.store.commands().exists("username:" + this.author.name())).as("not done").isOne();
		this.instances.startAnew(0);
		this.instances.startAnew(1);
		settle();
		assertThat(this.store.commands()
			.exists("username:" + this.author.name(), "posts:" + author, "followers:" + author,
					Keys.homeTimeline(author)))
			.isZero();
		assertThat(this.fans.have(this.before)).isEmpty();
		assertThat(this.fans.following()).isEmpty();
		assertNothingWrong();
	}

	@Test
	void everyTimelineHasThePostAfterTheBacklogWasFull() {
		this.instances.close();
		this.instances = Instances.start(this.store,
				Stream.concat(Stream.of(SETTINGS), Stream.of("--retwis.log.max-backlog=40")).toArray(String[]::new));
		Visitor writer = this.author.sentTo(this.instances.get(1).origin());
		writer.get("/home");
		AtomicInteger refused = new AtomicInteger();
		List<String> posts = new ArrayList<>();
		for (int i = 0; i < 60; i++) {
			String text = "post " + i;
			String once = UUID.randomUUID().toString();
			Awaitility.await(text)
				.pollInterval(Duration.ofMillis(100))
				.pollDelay(Duration.ZERO)
				.atMost(LIMIT)
				.until(() -> {
					Answer answer = writer.postJson("body", text, "once", once);
					if (answer.status() == 503) {
						refused.incrementAndGet();
						return false;
					}
					posts.add(answer.json().get("posts").get(0).get("id").asString());
					return true;
				});
		}
		assertThat(refused).hasPositiveValue();
		settle();
		assertThat(this.store.commands().zcard("posts:" + this.author.id())).isEqualTo(posts.size() + 1);
		for (String post : posts) {
			assertThat(this.fans.have(post)).hasSize(FANS);
		}
		assertNothingWrong();
	}

}
