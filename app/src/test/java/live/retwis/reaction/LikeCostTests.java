package live.retwis.reaction;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import live.retwis.account.UnreadNotificationCounter;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.proxy.TrafficListener;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.CommitLogListener;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Counts all commands that the answer to a like can have waited for, on their way to the
 * server. A script is one command.
 */
@ExtendWith(RedisExtension.class)
class LikeCostTests {

	private static final Duration SOON = Duration.ofSeconds(10);

	/** The most commands of a like's own. */
	private static final int OWN = 2;

	private static final int ROUNDS = 5;

	/** Commands of which a reply has come, in the order of the replies. */
	private final List<SentCommand> answered = new CopyOnWriteArrayList<>();

	/**
	 * From the third command on, those that name the post are held until the answer has
	 * come. So the answer does not wait for them. Other work of the instance can only add
	 * commands to a round, and so the round with the fewest decides.
	 */
	@Test
	void aLikeWaitsForAtMostTwoCommandsBesideThoseOfEveryForm(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site site = Site.startAt("127.0.0.1", way.port(), "--retwis.limits.enabled=true",
						"--retwis.fan-out.worker=false")) {
			Visitor author = Visitor.registered(site);
			List<String> posts = IntStream.range(0, ROUNDS).mapToObj((i) -> author.post("post " + i)).toList();
			String first = author.post("liked first");
			Visitor user = Visitor.registered(site);
			way.tell(listener());
			warmUp(user, first);
			posts.forEach((post) -> assertThat(user.get("/posts/" + post).status()).isEqualTo(200));
			List<Predicate<SentCommand>> common = thoseOfEveryForm(user.id());
			List<SentCommand> other = send(user, "/posts/" + posts.get(0) + "/bookmark");
			assertThat(common).as("those of another form").allSatisfy((one) -> assertThat(other).anyMatch(one));
			// Nothing that names one of the posts is under way any more.
			Awaitility.await().atMost(SOON).until(() -> site.redis().zcard(Keys.INTENTS) == 0);
			List<List<SentCommand>> rounds = new ArrayList<>();
			for (String post : posts) {
				AtomicInteger own = new AtomicInteger();
				Predicate<SentCommand> further = SentCommand.containing(post)
					.and((command) -> own.incrementAndGet() > OWN);
				try (Interception rest = way.at(further).holdCommand()) {
					rounds.add(without(common, send(user, "/posts/" + post + "/like")));
					rest.awaitMet();
				}
				awaitEndOfLike(post);
			}
			assertThat(fewest(rounds)).as("those of the like").hasSizeLessThanOrEqualTo(OWN);
			assertThat(site.redis().zcard(Keys.liked(user.id()))).isEqualTo(ROUNDS + 1);
		}
	}

	@Test
	void unreadNotificationsAreCountedForPagesOnly(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site site = Site.startAt("127.0.0.1", way.port())) {
			Visitor user = Visitor.registered(site);
			String post = user.post("liked by a program");
			user.token();
			forgetCounts(site);
			Predicate<SentCommand> count = key("notifications:" + user.id());
			try (Interception counts = way.at(count).watch()) {
				assertThat(user.getJson("/posts/" + post).status()).isEqualTo(200);
				assertThat(user.submitJson("/posts/" + post + "/like").status()).isEqualTo(200);
				assertThat(user.submit("/posts/" + post + "/bookmark").status()).isEqualTo(303);
				try (EventStream stream = user.open("/live/home", "Accept", "text/event-stream")) {
					stream.await((event) -> event.name().equals("position"));
				}
				assertThat(counts.met()).isZero();
				assertThat(user.get("/posts/" + post).status()).isEqualTo(200);
				assertThat(counts.met()).isOne();
				forgetCounts(site);
				assertThat(user.submit("/posts", "body", "", "once", "a").status()).isEqualTo(422);
				assertThat(counts.met()).as("a page that answers a form").isEqualTo(2);
				forgetCounts(site);
				assertThat(user.submit("/@" + user.name() + "/follow").status()).isEqualTo(422);
				assertThat(counts.met()).as("a page about an error").isEqualTo(3);
			}
		}
	}

	private static void forgetCounts(Site site) {
		((CommitLogListener) site.bean(UnreadNotificationCounter.class)).reset();
	}

	private TrafficListener listener() {
		return new TrafficListener() {
			@Override
			public void answered(SentCommand command, String reply) {
				LikeCostTests.this.answered.add(command);
			}
		};
	}

	/** Redis does not know a script that is used for the first time. It is sent twice. */
	private void warmUp(Visitor user, String post) {
		user.get("/posts/" + post);
		send(user, "/posts/" + post + "/bookmark");
		send(user, "/posts/" + post + "/like");
		awaitEndOfLike(post);
	}

	private static List<SentCommand> fewest(List<List<SentCommand>> rounds) {
		return rounds.stream().min(Comparator.comparingInt(List::size)).orElseThrow();
	}

	/**
	 * Sends a form.
	 * @return all commands that were answered from its beginning until its own answer
	 */
	private List<SentCommand> send(Visitor user, String path) {
		user.token();
		int before = this.answered.size();
		CompletableFuture<Answer> answer = CompletableFuture.supplyAsync(() -> user.submit(path));
		assertThat(answer).succeedsWithin(SOON).extracting(Answer::status).as(path).isEqualTo(303);
		return List.copyOf(this.answered.subList(before, this.answered.size()));
	}

	/** The last command of a like takes its intent out, if that is still there. */
	private void awaitEndOfLike(String post) {
		Predicate<SentCommand> last = SentCommand.named("ZREM").and(SentCommand.containing(post));
		Awaitility.await().atMost(SOON).until(() -> this.answered.stream().anyMatch(last));
	}

	/** Leaves out one of each, so that one that is sent twice counts. */
	private static List<SentCommand> without(List<Predicate<SentCommand>> common, List<SentCommand> commands) {
		List<SentCommand> rest = new ArrayList<>(commands);
		common.forEach((one) -> rest.stream().filter(one).findFirst().ifPresent(rest::remove));
		return rest;
	}

	/** The two of the session, and the limits of the user and of the address. */
	private static List<Predicate<SentCommand>> thoseOfEveryForm(String userId) {
		return List.of(SentCommand.named("GET").and(key("auth:[0-9a-f]{64}")),
				SentCommand.named("HMGET").and(key("user:" + userId)), key("limit:[a-z]+:" + userId),
				key("limit:address-[a-z]+:127\\.0\\.0\\.1"));
	}

	/** Commands whose first key is such a one. A script has two arguments before it. */
	private static Predicate<SentCommand> key(String pattern) {
		return (command) -> command.arguments().stream().limit(3).anyMatch((argument) -> argument.matches(pattern));
	}

}
