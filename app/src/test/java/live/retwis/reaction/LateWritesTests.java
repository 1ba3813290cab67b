package live.retwis.reaction;

import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.CommitLog;
import live.retwis.post.PostListRepository;
import live.retwis.post.ReplyRepository;
import live.retwis.redis.Keys;
import live.retwis.testing.DelayedWriteSites;
import org.junit.jupiter.api.Tag;
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

	private static final String POST = "0BBBBBBBBBBBB";

	private static final String USER = "0CCCCCCCCCCCC";

	private final String likes = Reaction.LIKE.users(POST);

	private final String liked = Reaction.LIKE.posts(USER);

	@Test
	@Tag("slow")
	@Tag("long")
	void aLateLikeDoesNotUndoAnUnlike(@OwnRedis TestRedis redis) {
		try (DelayedWriteSites sites = new DelayedWriteSites(redis)) {
			ReactionRepository late = sites.slow().bean(ReactionRepository.class);
			ReactionRepository now = sites.fast().bean(ReactionRepository.class);
			sites.late(this.liked, late.set(Reaction.LIKE, POST, USER, true),
					now.set(Reaction.LIKE, POST, USER, true).then(now.set(Reaction.LIKE, POST, USER, false)));
			assertThat(sites.fast().redis().exists(this.liked)).isZero();
			sites.late(this.likes,
					now.set(Reaction.LIKE, POST, USER, true).then(late.settle(Reaction.LIKE, POST, USER)),
					now.set(Reaction.LIKE, POST, USER, false).then(now.settle(Reaction.LIKE, POST, USER)));
			assertThat(sites.fast().redis().exists(this.likes)).isZero();
		}
	}

	@Test
	@Tag("slow")
	void aLateUnlikeDoesNotUndoALike(@OwnRedis TestRedis redis) {
		try (DelayedWriteSites sites = new DelayedWriteSites(redis)) {
			ReactionRepository late = sites.slow().bean(ReactionRepository.class);
			ReactionRepository now = sites.fast().bean(ReactionRepository.class);
			Mono<Void> like = now.set(Reaction.LIKE, POST, USER, true).then(now.settle(Reaction.LIKE, POST, USER));
			sites.late(this.liked, late.set(Reaction.LIKE, POST, USER, false), like);
			sites.late(this.likes, late.withdraw(Reaction.LIKE, POST, USER), like);
			assertThat(sites.fast().redis().zrange(this.liked, 0, -1)).containsExactly(POST);
			assertThat(sites.fast().redis().zrange(this.likes, 0, -1)).containsExactly(USER);
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aLateReplyOrBookmarkDoesNotComeBackAfterItWasRemoved(@OwnRedis TestRedis redis) {
		try (DelayedWriteSites sites = new DelayedWriteSites(redis)) {
			ReplyRepository replies = sites.fast().bean(ReplyRepository.class);
			sites.late(Keys.replies(POST), sites.slow().bean(ReplyRepository.class).add(POST, USER, 1),
					replies.add(POST, USER, 1).then(replies.remove(POST, USER)));
			PostListRepository lists = sites.fast().bean(PostListRepository.class);
			String bookmarks = Keys.bookmarks(USER);
			sites.late(bookmarks, sites.slow().bean(PostListRepository.class).addIfRoom(bookmarks, POST, 1),
					lists.addIfRoom(bookmarks, POST, 1).then(lists.remove(bookmarks, POST)));
			assertThat(sites.fast().redis().exists(Keys.replies(POST), bookmarks)).isZero();
		}
	}

	@Test
	@Tag("slow")
	void aLateCountIsNotTold(@OwnRedis TestRedis redis) {
		try (DelayedWriteSites sites = new DelayedWriteSites(redis)) {
			sites.late(Keys.LOG, sites.slow().bean(CommitLog.class).counted(POST, USER, "{\"likes\":1}"),
					sites.fast().bean(CommitLog.class).counted(POST, USER, "{\"likes\":2}"));
			assertThat(sites.fast().redis().xrevrange(Keys.LOG, Range.unbounded(), Limit.from(1)).get(0).getBody())
				.containsEntry("facts", "{\"likes\":2}");
		}
	}

}
