package live.retwis.archive;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.post.RenderedPosts;
import live.retwis.redis.Keys;
import live.retwis.testing.AllPages;
import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Three old posts of an author that are to be moved: one with tags, words, likes, replies
 * and a repost, a reply to it, and a repost. Another author has a post whose lists are to
 * be moved, because it is in the archive. The mover takes its replies over, and moves its
 * likes.
 */
final class PopularOldPosts {

	private static final Duration BOUND = Duration.ofSeconds(60);

	/** Commands that change Redis. */
	private static final Set<String> CHANGES = Set.of("EVALSHA", "EVAL", "ZADD");

	/** What a page says that had not the time to ask the archive. */
	private static final List<String> INCOMPLETE = List.of("cannot be read at the moment",
			"could not be searched in time");

	private final String word = "w" + Visitor.freshName();

	private final Site site;

	private final OldStore store;

	private final Visitor fan;

	private final Visitor author;

	private final Visitor stranger;

	private final List<String> young;

	private final List<String> old;

	private final String reply;

	private final String root;

	private final String repost;

	/** The replies of the fan. */
	private final List<String> answers;

	/** The post whose lists are to be moved. */
	private final String archived;

	/** What is reposted. */
	private final String original;

	/**
	 * Plants them.
	 * @param fan likes them, replies to them and reposts them
	 * @param other the other author
	 */
	PopularOldPosts(Site site, Visitor fan, Visitor other) {
		this.site = site;
		this.fan = fan;
		this.store = new OldStore(site);
		this.author = Visitor.registered(site);
		this.stranger = Visitor.of(site);
		List<String> others = this.store.plant(other, 2, 200);
		this.archived = others.get(0);
		this.original = others.get(1);
		String early = answer(this.archived);
		FanOutWait.settle(site);
		Awaitility.await().atMost(BOUND).untilAsserted(() -> assertLiked(this.archived, early));
		moveOnce();
		this.old = this.store.plant(this.author, 3, 100);
		this.young = this.store.plant(this.author, 22, 1);
		this.reply = this.old.get(0);
		this.root = this.old.get(1);
		this.repost = this.old.get(2);
		long replied = committed(this.reply);
		site.redis()
			.hset(Keys.post(this.reply), Map.of("body", this.word + " is a reply #" + this.word, "reply_to", this.root,
					"reply_username", this.author.name()));
		site.redis().zadd(Keys.replies(this.root), (double) replied, this.reply);
		site.redis().hset(Keys.post(this.root), "body", this.word + " is liked #" + this.word);
		site.redis().zadd(Keys.pulledOf(this.author.id()), (double) committed(this.root), this.root);
		site.redis().hset(Keys.post(this.repost), Map.of("body", "", "repost_of", this.original));
		site.redis().hset(Keys.reposts(this.original), this.author.id(), this.repost);
		site.bean(ArchiveSearchIndex.class).add(this.reply, replied).block(BOUND);
		site.bean(ArchiveSearchIndexer.class).writeNoted(replied).block(BOUND);
		site.bean(ArchiveSearchIndex.class).hasMoreOf(this.word).block(BOUND);
		this.answers = List.of(early, answer(this.root));
		assertThat(fan.submit("/posts/" + this.root + "/repost").status()).isEqualTo(303);
		FanOutWait.settle(site);
		Awaitility.await().atMost(BOUND).untilAsserted(this::assertShown);
		String likes = Keys.likes(this.archived);
		String replies = Keys.replies(this.archived);
		site.redis().set(Keys.listInUse(likes), "1");
		site.redis().del(Keys.listInUse(replies));
		site.redis().zadd(Keys.ARCHIVE_LISTS, 1.0, likes, 1.0, replies);
	}

	/** The fan likes a post and replies to it. */
	private String answer(String post) {
		assertThat(this.fan.submit("/posts/" + post + "/like").status()).isEqualTo(303);
		Answer answer = this.fan.postJson("body", "an answer", "reply_to", post);
		assertThat(answer.status()).isEqualTo(201);
		return answer.json().get("posts").get(0).get("id").asString();
	}

	private long committed(String post) {
		return this.site.redis().zscore(Keys.postsOf(this.author.id()), post).longValue();
	}

	/** Whether a mover changes something of these posts by the command. */
	boolean isStep(SentCommand command) {
		return CHANGES.contains(command.name())
				&& Stream.concat(this.old.stream(), Stream.of(this.author.id(), this.archived))
					.anyMatch((id) -> SentCommand.containing(id).test(command));
	}

	/** Whether a mover has done all that there is to do. */
	boolean areMoved() {
		String replies = Objects.requireNonNullElse(this.site.redis().get(Keys.listInUse(Keys.replies(this.archived))),
				LikesAndRepliesArchive.COMING);
		return this.store.listed(this.author).size() == this.young.size()
				&& this.site.redis().zscore(Keys.ARCHIVE_LISTS, Keys.likes(this.archived)) == null
				&& !replies.startsWith(LikesAndRepliesArchive.COMING);
	}

	String profile() {
		return "/@" + this.author.name();
	}

	/** What the profile shows, in its order: of the repost, the original. */
	List<String> onProfile() {
		return Stream.of(this.young, List.of(this.reply, this.root, this.original)).flatMap(List::stream).toList();
	}

	/** The pages show all of it, wherever it is. */
	void assertShown() {
		this.site.bean(RenderedPosts.class).filesChanged();
		this.site.keys(Keys.ARCHIVED + "*").forEach((key) -> this.site.redis().del(key));
		assertLiked(this.archived, this.answers.get(0));
		assertLiked(this.root, this.answers.get(1), this.reply);
		assertThat(get("/posts/" + this.root).body()).contains("/posts/" + this.root + "/repost\" data-count=\"1\"");
		assertThat(get("/posts/" + this.reply).body()).contains(this.word + " is a reply", "/posts/" + this.root);
		assertThat(get("/posts/" + this.repost).location()).contains(this.original);
		for (String found : List.of("/tags/" + this.word, "/search?q=" + this.word)) {
			assertThat(get(found).postIds()).as(found).contains(this.reply).doesNotHaveDuplicates();
		}
	}

	/** The fan likes the post, and each of its replies is there once. */
	private void assertLiked(String post, String... replies) {
		Answer page = get("/posts/" + post);
		assertThat(page.status()).as(post).isEqualTo(200);
		assertThat(page.postIds()).containsOnlyOnce(post).containsOnlyOnce(replies);
		assertThat(page.body()).contains("/posts/" + post + "/like\" data-count=\"1\"",
				"/posts/" + post + "#reply\" data-count=\"" + replies.length + "\"");
		assertThat(get("/posts/" + post + "/likes").body()).contains("/@" + this.fan.name() + "\"");
	}

	/** The page, as soon as it is complete. */
	private Answer get(String path) {
		return Awaitility.await(path)
			.atMost(BOUND)
			.until(() -> this.stranger.get(path),
					(page) -> page.status() != 503 && INCOMPLETE.stream().noneMatch(page.body()::contains));
	}

	/** Moves them. Afterwards only the archive has them. */
	void move() {
		moveOnce();
		assertThat(this.store.listed(this.author)).hasSameElementsAs(this.young);
		assertThat(this.store.inRedis(this.old)).isEmpty();
	}

	private void moveOnce() {
		this.site.bean(ArchiveMover.class).moveAll().block(BOUND);
	}

	/** Moves their lists. Afterwards the pages show what only the archive has. */
	void moveLists() {
		String[] lists = Stream.of(this.archived, this.root)
			.flatMap((post) -> Stream.of(Keys.likes(post), Keys.replies(post)))
			.toArray(String[]::new);
		Awaitility.await("the lists move").atMost(BOUND).until(() -> {
			this.site.bean(LikesAndRepliesMover.class).moveAll(Duration.ZERO).block(BOUND);
			return this.site.redis().exists(lists) == 0;
		});
		assertShown();
		for (String found : List.of("/tags/" + this.word, "/search?q=" + this.word)) {
			assertThat(AllPages.idsOf(this.stranger, found)).as(found).containsExactly(this.reply, this.root);
		}
		assertThat(get(profile()).body()).contains("<b>25</b> posts<");
	}

}
