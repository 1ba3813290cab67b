package live.retwis.archive;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.proxy.TrafficListener;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.redis.Keys;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** What the archive costs a site that has none. */
@ExtendWith(RedisExtension.class)
class NoArchiveCostTests {

	/** The site looks for an archive again after a while. */
	private static final int FEW = 3;

	private static final int LIKES = 8;

	private final List<SentCommand> sent = new CopyOnWriteArrayList<>();

	@Test
	@Tag("slow")
	void likesAndRepliesNeedNoCommandForAnArchive(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site site = Site.startAt("127.0.0.1", way.port())) {
			Visitor author = Visitor.registered(site);
			List<String> posts = List.of(author.post("one"), author.post("two"), author.post("three"));
			FanOutWait.settle(site);
			way.tell(new TrafficListener() {
				@Override
				public void answered(SentCommand command, String reply) {
					NoArchiveCostTests.this.sent.add(command);
				}
			});
			for (int i = 0; i < LIKES; i++) {
				Visitor reader = Visitor.registered(site);
				for (String post : posts) {
					assertThat(reader.submit("/posts/" + post + "/like").status()).isEqualTo(303);
					assertThat(reader.postJson("body", "yes", "reply_to", post).status()).isEqualTo(201);
				}
			}
			posts.forEach((post) -> Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.until(() -> site.redis().zcard(Keys.likes(post)) == LIKES));
			FanOutWait.settle(site);
			assertThat(this.sent).as("commands were seen").hasSizeGreaterThan(LIKES);
			assertThat(this.sent).filteredOn(SentCommand.named("HMGET").and(SentCommand.with("archived"))).isEmpty();
			assertThat(this.sent).filteredOn(SentCommand.with(Keys.ARCHIVE_SITE)).hasSizeLessThanOrEqualTo(FEW);
		}
	}

}
