package live.retwis.archive;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import live.retwis.archive.ArchivedLikesAndRepliesRepository.ArchivedList;
import live.retwis.post.PostListRepository;
import live.retwis.post.ReplyRepository;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** No list in Redis has more members than its key's row in the table of keys says. */
abstract class ListBoundsContract extends ArchivedTagsContract {

	private static final int MOST_LIKES = 100_000;

	/** A list of as many members, and five more, the last of which is the latest. */
	private static String archived(int most) {
		return IntStream.range(0, most + 5)
			.mapToObj((i) -> "0L%011d %d".formatted(i, i + 1))
			.collect(Collectors.joining(" "));
	}

	private void fill(String list, int count) {
		List<Object> members = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			members.addAll(List.of((double) i + 1, "0L%011d".formatted(i)));
		}
		site().redis().zadd(list, members.toArray());
	}

	/**
	 * A post that has moved, with lists of so many members that the archive alone has.
	 */
	private String archivedWith(String list, int count) {
		String old = this.store.plant(this.author, 1, 200).get(0);
		site().redis().hset(Keys.post(old), list, Integer.toString(count));
		move();
		site().bean(ArchivedLikesAndRepliesRepository.class)
			.save(List.of(new ArchivedList(list + ":" + old, archived(count), 1)), Long.MAX_VALUE)
			.block(BOUND);
		return old;
	}

	@Test
	void repliesThatComeBackAreTheLatestTenThousand() {
		String list = Keys.replies(archivedWith("replies", ReplyRepository.MOST));
		assertThat(this.stranger.get("/posts/" + list.substring("replies:".length())).status()).isEqualTo(200);
		assertThat(site().redis().zcard(list)).isEqualTo(ReplyRepository.MOST);
		assertThat(site().redis().zrange(list, 0, 0)).containsExactly("0L%011d".formatted(5));
		remove(list);
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void likesThatComeBackAreTheLatestHundredThousand() {
		String old = archivedWith("likes", MOST_LIKES);
		assertThat(this.stranger.get("/posts/" + old + "/likes").status()).isEqualTo(200);
		assertThat(site().redis().zcard(Keys.likes(old))).isEqualTo(MOST_LIKES);
		remove(Keys.likes(old));
	}

	/** Its members are no users and no posts. */
	private void remove(String list) {
		site().bean(ArchivedLikesAndRepliesRepository.class).remove(List.of(list)).block(BOUND);
		site().redis().del(list, Keys.listInUse(list));
		site().redis().zrem(Keys.ARCHIVE_LISTS, list);
	}

	@Test
	@Tag("slow")
	void likesAndRepliesOfAPostInRedisDoNotExceedTheirBounds() {
		String post = this.author.post("a post that many like and answer");
		fill(Keys.replies(post), ReplyRepository.MOST);
		fill(Keys.likes(post), MOST_LIKES);
		Visitor reader = Visitor.registered(site());
		assertThat(reader.submit("/posts/" + post + "/like").status()).isEqualTo(303);
		assertThat(reader.postJson("body", "one more", "reply_to", post).status()).isEqualTo(201);
		awaitLikes(post, MOST_LIKES);
		FanOutWait.settle(site());
		assertThat(site().redis().zcard(Keys.replies(post))).isEqualTo(ReplyRepository.MOST);
		assertThat(site().redis().zcard(Keys.likes(post))).isEqualTo(MOST_LIKES);
		assertThat(site().redis().zscore(Keys.likes(post), reader.id())).isNotNull();
		site().redis().del(Keys.replies(post), Keys.likes(post));
	}

	@Test
	void changesOfAListThatIsAwayDoNotExceedItsBound() {
		String list = Keys.likes("0AAAAAAAAAAAA");
		for (int i = 0; i < 5; i++) {
			change(list, "0L" + i, Integer.toString(i + 1));
			change(list, "0M" + i, "");
			assertThat(site().redis().zcard(list)).isLessThanOrEqualTo(3);
		}
		for (int i = 0; i < 5; i++) {
			change(list, "0N" + i, "");
			assertThat(site().redis().zcard(list)).isLessThanOrEqualTo(3);
		}
		site().redis().del(list, Keys.listInUse(list));
	}

	private void change(String list, String member, String score) {
		LuaScript.named("change-list")
			.run(site().bean(ReactiveStringRedisTemplate.class), List.of(list, Keys.listInUse(list)), "1", "3", member,
					score, "nonce")
			.block(BOUND);
	}

	@Test
	void theMoverKeepsPostsOfAnAuthorWithinTheirBound() {
		List<String> young = this.store.plant(this.author, 70, 1);
		young.forEach((post) -> site().redis()
			.zadd(Keys.pulledOf(this.author.id()), site().redis().zscore(Keys.postsOf(this.author.id()), post), post));
		move();
		assertThat(Stream.of(Keys.postsOf(this.author.id()), Keys.pulledOf(this.author.id())))
			.allSatisfy((list) -> assertThat(site().redis().zcard(list)).isEqualTo(50 + 2));
	}

	@Test
	void theListOfATagDoesNotExceedItsBound() {
		fill(Keys.tag(this.tag), PostListRepository.MOST);
		String post = this.author.post("one more #" + this.tag);
		FanOutWait.settle(site());
		assertThat(site().redis().zcard(Keys.tag(this.tag))).isEqualTo(PostListRepository.MOST);
		assertThat(site().redis().zscore(Keys.tag(this.tag), post)).isNotNull();
	}

}
