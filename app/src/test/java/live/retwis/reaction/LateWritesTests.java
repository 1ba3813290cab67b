package live.retwis.reaction;

import java.time.Duration;

import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.CommitLog;
import live.retwis.post.PostListRepository;
import live.retwis.post.ReplyRepository;
import live.retwis.redis.Availability;
import live.retwis.redis.Keys;
import live.retwis.testing.Site;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * A write of one instance is held on its way to Redis for so long that the instance gives
 * up. Meanwhile another instance writes the opposite. Then the first write arrives.
 */
@ExtendWith(RedisExtension.class)
class LateWritesTests {

	private static final Duration BOUND = Duration.ofSeconds(20);

	private static final String NO_WORKER = "--retwis.fan-out.worker=false";

	private static final String IMPATIENT = "--spring.data.redis.timeout=1s";

	private static final String POST = "0BBBBBBBBBBBB";

	private static final String USER = "0CCCCCCCCCCCC";

	private final String likes = Reaction.LIKE.users(POST);

	private final String liked = Reaction.LIKE.posts(USER);

	@Test
	void aLateLikeDoesNotUndoAnUnlike(@OwnRedis TestRedis redis) {
		try (Sites sites = new Sites(redis)) {
			ReactionRepository late = sites.slow.bean(ReactionRepository.class);
			ReactionRepository now = sites.fast.bean(ReactionRepository.class);
			sites.late(this.liked, late.set(Reaction.LIKE, POST, USER, true),
					now.set(Reaction.LIKE, POST, USER, true).then(now.set(Reaction.LIKE, POST, USER, false)));
			assertThat(sites.fast.redis().exists(this.liked)).isZero();
			sites.late(this.likes,
					now.set(Reaction.LIKE, POST, USER, true).then(late.settle(Reaction.LIKE, POST, USER)),
					now.set(Reaction.LIKE, POST, USER, false).then(now.settle(Reaction.LIKE, POST, USER)));
			assertThat(sites.fast.redis().exists(this.likes)).isZero();
		}
	}

	@Test
	void aLateUnlikeDoesNotUndoALike(@OwnRedis TestRedis redis) {
		try (Sites sites = new Sites(redis)) {
			ReactionRepository late = sites.slow.bean(ReactionRepository.class);
			ReactionRepository now = sites.fast.bean(ReactionRepository.class);
			Mono<Void> like = now.set(Reaction.LIKE, POST, USER, true).then(now.settle(Reaction.LIKE, POST, USER));
			sites.late(this.liked, late.set(Reaction.LIKE, POST, USER, false), like);
			sites.late(this.likes, late.withdraw(Reaction.LIKE, POST, USER), like);
			assertThat(sites.fast.redis().zrange(this.liked, 0, -1)).containsExactly(POST);
			assertThat(sites.fast.redis().zrange(this.likes, 0, -1)).containsExactly(USER);
		}
	}

	@Test
	void aLateReplyOrBookmarkDoesNotComeBackAfterItWasRemoved(@OwnRedis TestRedis redis) {
		try (Sites sites = new Sites(redis)) {
			ReplyRepository replies = sites.fast.bean(ReplyRepository.class);
			sites.late(Keys.replies(POST), sites.slow.bean(ReplyRepository.class).add(POST, USER, 1),
					replies.add(POST, USER, 1).then(replies.remove(POST, USER)));
			PostListRepository lists = sites.fast.bean(PostListRepository.class);
			String bookmarks = Keys.bookmarks(USER);
			sites.late(bookmarks, sites.slow.bean(PostListRepository.class).addIfRoom(bookmarks, POST, 1),
					lists.addIfRoom(bookmarks, POST, 1).then(lists.remove(bookmarks, POST)));
			assertThat(sites.fast.redis().exists(Keys.replies(POST), bookmarks)).isZero();
		}
	}

	@Test
	void aLateCountIsNotTold(@OwnRedis TestRedis redis) {
		try (Sites sites = new Sites(redis)) {
			sites.late(Keys.LOG, sites.slow.bean(CommitLog.class).counted(POST, USER, "{\"likes\":1}"),
					sites.fast.bean(CommitLog.class).counted(POST, USER, "{\"likes\":2}"));
			assertThat(sites.fast.redis().xrevrange(Keys.LOG, Range.unbounded(), Limit.from(1)).get(0).getBody())
				.containsEntry("facts", "{\"likes\":2}");
		}
	}

	/** Two instances. The way of one of them to Redis can be slow. */
	private static final class Sites implements AutoCloseable {

		private final FaultProxy way;

		private final Site fast;

		private final Site slow;

		Sites(TestRedis redis) {
			this.way = redis.proxy();
			this.fast = Site.start(redis, NO_WORKER);
			this.slow = Site.startAt("127.0.0.1", this.way.port(), NO_WORKER, IMPATIENT);
		}

		/**
		 * Runs the late write, and the other one while the script of the late one for
		 * this key is held up. Returns when the late one has arrived.
		 */
		void late(String key, Mono<?> late, Mono<?> meanwhile) {
			try (Interception held = this.way.at(SentCommand.named("EVALSHA").and(SentCommand.with(key)))
				.holdCommand()) {
				assertThatException().isThrownBy(() -> late.block(BOUND)).matches(Availability::isAway);
				held.awaitMet();
				meanwhile.block(BOUND);
			}
			CommitLog next = this.slow.bean(CommitLog.class);
			// The connection answers in order, so the script has run by then.
			Awaitility.await().atMost(BOUND).ignoreExceptions().until(() -> next.head().block(BOUND) != null);
		}

		@Override
		public void close() {
			this.slow.close();
			this.fast.close();
			this.way.close();
		}

	}

}
