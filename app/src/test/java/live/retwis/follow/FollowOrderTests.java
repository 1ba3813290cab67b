package live.retwis.follow;

import java.util.concurrent.CompletableFuture;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** The entry of a follow reaches the log after that of a later unfollow. */
@ExtendWith(RedisExtension.class)
class FollowOrderTests {

	private static CompletableFuture<Answer> late(FaultProxy way, Visitor reader, Visitor author, String what,
			Runnable meanwhile) {
		CompletableFuture<Answer> late;
		try (Interception held = way
			.at(SentCommand.named("EVALSHA")
				.and(SentCommand.with(Keys.LOG))
				.and(SentCommand.with(what))
				.and(SentCommand.with(reader.id())))
			.holdCommand()) {
			late = CompletableFuture.supplyAsync(() -> reader.submit("/@" + author.name() + "/" + what));
			held.awaitMet();
			meanwhile.run();
		}
		return late;
	}

	@Test
	@Tag("slow")
	void anOpenHomeStreamFollowsWhatIsStored(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site fast = Site.start(redis);
				Site slow = Site.startAt("127.0.0.1", way.port(), "--retwis.fan-out.worker=false")) {
			Visitor author = Visitor.registered(fast);
			Visitor.registered(slow).follow(author);
			Visitor reader = Visitor.registered(slow);
			Visitor same = reader.sentTo(fast.url(""));
			try (EventStream home = same.open("/live/home")) {
				home.await((event) -> event.name().equals("position"));
				reader.get("/@" + author.name());
				CompletableFuture<Answer> answer = late(way, reader, author, "follow", () -> same.unfollow(author));
				assertThat(answer.join().status()).isEqualTo(303);
				assertThat(fast.redis().zscore(Keys.following(reader.id()), author.id())).isNull();
				author.post("of somebody whom the reader does not follow");
				same.post("marker");
				home.awaitPost("marker");
				assertThat(home.events("post")).noneMatch((event) -> event.data().contains("does not follow"));
			}
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void anOpenHomeStreamHasThePostsOfWhoIsFollowed(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy();
				Site fast = Site.start(redis);
				Site slow = Site.startAt("127.0.0.1", way.port(), "--retwis.fan-out.worker=false")) {
			Visitor author = Visitor.registered(fast);
			Visitor reader = Visitor.registered(slow);
			reader.follow(author);
			Visitor same = reader.sentTo(fast.url(""));
			try (EventStream home = same.open("/live/home")) {
				home.await((event) -> event.name().equals("position"));
				reader.get("/@" + author.name());
				CompletableFuture<Answer> answer = late(way, reader, author, "unfollow", () -> same.follow(author));
				assertThat(answer.join().status()).isEqualTo(303);
				assertThat(fast.redis().zscore(Keys.following(reader.id()), author.id())).isNotNull();
				author.post("of somebody whom the reader follows");
				same.post("marker");
				home.awaitPost("marker");
				assertThat(home.events("post")).anyMatch((event) -> event.data().contains("the reader follows"));
			}
		}
	}

}
