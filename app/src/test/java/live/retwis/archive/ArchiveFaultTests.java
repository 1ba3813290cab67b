package live.retwis.archive;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.ListenerProgress;
import live.retwis.post.PostListener;
import live.retwis.post.RenderedPosts;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.PostgresServer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * What a site does while the database of its archive does not serve it. Pages of new
 * posts need no archive. Pages that need it say so soon. What has changed meanwhile comes
 * to the archive later.
 */
@Tag("slow")
@Timeout(120)
@ExtendWith(RedisExtension.class)
@EnabledIf("isInstalled")
class ArchiveFaultTests {

	private static final Duration BOUND = Duration.ofSeconds(30);

	/** Longest time for any page. */
	private static final Duration SOON = Duration.ofSeconds(3);

	/** Rows until no more fit: large ones, then small ones into what they leave. */
	private static final String FILL = """
			do $$
			declare number int := 0; size int;
			begin
			  foreach size in array array[1000, 1] loop
			    loop
			      begin
			        number := number + 1;
			        insert into posts (id, author, committed, pulled, username, created, body)
			          values ('F' || lpad(number::text, 12, '0'), 'filler', 1, false, 'filler', 1, repeat('x', size));
			      exception when disk_full then
			        exit;
			      end;
			    end loop;
			  end loop;
			end $$""";

	/** Megabytes of the small file system. The posts of all these tests need less. */
	private static final int SMALL = 8;

	private static PostgresServer database;

	private static boolean small;

	private static Site site;

	private final OldStore store = new OldStore(site());

	private final Visitor author = Visitor.registered(site());

	private final Visitor reader = Visitor.registered(site());

	private final List<String> old = this.store.plant(this.author, 40, 100);

	static boolean isInstalled() {
		return PostgresServer.isInstalled();
	}

	private static Site site() {
		return site;
	}

	@BeforeAll
	static void start(@OwnRedis TestRedis redis) {
		database = PostgresServer.start();
		small = database.makeTablespace("small", SMALL);
		site = Site.start(redis, PostgresArchiveTests.settings(database));
	}

	@AfterAll
	static void stop() {
		site.close();
		database.close();
	}

	/** How the database fails. */
	enum Fault {

		KILLED {
			@Override
			void begin() {
				database.kill();
			}

			@Override
			void end() {
				database.restart();
			}
		},

		PAUSED {
			@Override
			void begin() {
				database.pause();
			}

			@Override
			void end() {
				database.resume();
			}
		},

		/** Each statement that reads posts takes a second. */
		SLOW {
			@Override
			void begin() {
				database.sql("alter table posts rename to stored");
				database.sql("create view posts as select * from stored where (select pg_sleep(1) is not null)");
			}

			@Override
			void end() {
				endConnections();
				database.sql("drop view posts; alter table stored rename to posts");
			}
		},

		/**
		 * The file system of the posts is full. Where the test cannot mount a small one,
		 * a trigger raises the same error, and the disk is not full.
		 */
		FULL {
			@Override
			void begin() {
				if (small) {
					database.sql("vacuum full posts");
					database.sql("alter table posts set tablespace small");
					database.sql(FILL);
				}
				else {
					database.sql("create function full_disk() returns trigger language plpgsql as "
							+ "$$ begin raise disk_full; end $$; create trigger full_disk before insert or update on posts "
							+ "execute function full_disk()");
				}
			}

			@Override
			void end() {
				if (small) {
					database.sql("alter table posts set tablespace pg_default; "
							+ "delete from posts where author = 'filler'");
					// A server that is killed later must not write there again.
					database.sql("checkpoint");
				}
				else {
					database.sql("drop trigger full_disk on posts; drop function full_disk");
				}
			}
		},

		/** It takes no writes. */
		READ_ONLY {
			@Override
			void begin() {
				database.sql("alter database postgres set default_transaction_read_only = on");
				endConnections();
			}

			@Override
			void end() {
				database.sql("set transaction read write; "
						+ "alter database postgres set default_transaction_read_only = off");
				endConnections();
			}
		};

		abstract void begin();

		abstract void end();

	}

	private static void endConnections() {
		database.sql("select pg_terminate_backend(pid) from pg_stat_activity "
				+ "where backend_type = 'client backend' and pid <> pg_backend_pid()");
	}

	private Fault fault = Fault.KILLED;

	private boolean broken;

	private void breakBy(Fault how) {
		this.fault = how;
		this.broken = true;
		how.begin();
	}

	/**
	 * Also waits until the pool has no connection any more that the server has ended. The
	 * pool hands out all in turn. After one that fails, the archive is not asked for a
	 * second.
	 */
	private void mend() {
		this.broken = false;
		this.fault.end();
		Awaitility.await("the archive is back")
			.atMost(BOUND)
			.pollInterval(Duration.ofMillis(20))
			.during(Duration.ofMillis(400))
			.ignoreExceptions()
			.until(() -> site.bean(ArchivedPostRepository.class).findAll(List.of("nobody")).block(BOUND) != null);
	}

	@AfterEach
	void repair() {
		if (this.broken) {
			mend();
		}
	}

	private static void move() {
		site.bean(ArchiveMover.class).moveAll().onErrorComplete().block(BOUND.plus(BOUND));
	}

	private static void sweep() {
		site.bean(ArchiveReconciler.class).sweep(Long.MAX_VALUE).block(BOUND);
	}

	private static void assertAnswers(Visitor visitor, String path, int status) {
		Answer answer = visitor.get(path);
		assertThat(answer.status()).as(path).isEqualTo(status);
		assertThat(answer.took()).as(path).isLessThan(SOON);
		if (status == 503) {
			assertThat(answer.header("Retry-After")).as(path).isNotEmpty();
			assertThat(answer.body()).as(path).contains("Older posts cannot be read at the moment");
		}
	}

	private String profile() {
		return "/@" + this.author.name();
	}

	/** Address of the second page of the author's profile. */
	private String older() {
		return this.reader.get(profile()).older();
	}

	@ParameterizedTest
	@EnumSource(names = { "KILLED", "PAUSED" })
	void pagesOfNewPostsAnswerAndOnlyOlderOnesDoNot(Fault how) {
		List<String> young = this.store.plant(this.author, 22, 1);
		this.reader.follow(this.author);
		FanOutWait.settle(site);
		assertThat(this.reader.get("/home").status()).isEqualTo(200);
		FanOutWait.settle(site);
		move();
		String older = older();
		assertThat(older).isNotEmpty();
		breakBy(how);
		for (Visitor visitor : List.of(this.reader, this.author, Visitor.of(site))) {
			assertAnswers(visitor, profile(), 200);
			assertAnswers(visitor, "/timeline", 200);
			assertAnswers(visitor, "/posts/" + young.get(0), 200);
			assertAnswers(visitor, older, 503);
			assertAnswers(visitor, "/posts/" + this.old.get(30), 503);
		}
		assertAnswers(this.reader, "/home", 200);
		assertAnswers(this.author, "/home", 200);
		assertThat(this.reader.get("/home").postIds()).containsSequence(young.subList(0, 20));
		assertAnswers(this.reader, this.reader.get("/home").older(), 503);
		mend();
		Awaitility.await().atMost(Duration.ofSeconds(2)).untilAsserted(() -> {
			assertAnswers(this.reader, older, 200);
			assertAnswers(this.reader, "/posts/" + this.old.get(30), 200);
		});
	}

	@Test
	void whileTheDatabaseIsSlowOnlyOlderPagesAreSlow() {
		List<String> young = this.store.plant(this.author, 22, 1);
		move();
		String older = older();
		breakBy(Fault.SLOW);
		for (int i = 0; i < 3; i++) {
			assertAnswers(this.reader, "/timeline", 200);
			assertAnswers(this.reader, "/posts/" + young.get(i), 200);
			site.bean(RenderedPosts.class).reset();
			site.redis().del(this.old.stream().map(ArchivedPostCache::key).toArray(String[]::new));
			Answer slow = Visitor.of(site).get(older);
			assertThat(slow.status()).isIn(200, 503);
			assertThat(slow.took()).as("an answer of %s", slow.status()).isBetween(Duration.ofSeconds(1), SOON);
		}
		mend();
		assertAnswers(this.reader, older, 200);
	}

	@Test
	void aFullDatabaseIsStillRead() {
		move();
		String older = older();
		breakBy(Fault.FULL);
		assertThat(this.reader.get(older).postIds()).isEqualTo(this.old.subList(20, 40));
		assertThat(this.author.submit("/posts/" + this.old.get(25) + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site);
		sweep();
		assertThat(this.reader.get(older).postIds()).doesNotContain(this.old.get(25)).hasSize(19);
		assertThat(database.sql("select id from posts where id = '" + this.old.get(25) + "'")).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void whatIsDoneToNewPostsGoesOn(Fault how) {
		Visitor friend = Visitor.registered(site);
		this.reader.get("/");
		assertThat(this.reader.submit("/posts/" + this.old.get(3) + "/repost").status()).isEqualTo(303);
		FanOutWait.settle(site);
		String repost = this.store.listed(this.reader).get(0);
		move();
		friend.follow(this.author);
		FanOutWait.settle(site);
		breakBy(how);
		String post = this.author.post("while the archive is away");
		assertThat(this.reader.submit("/posts/" + post + "/like").status()).isEqualTo(303);
		assertThat(this.reader.postJson("body", "a reply", "reply_to", post).status()).isEqualTo(201);
		String gone = this.author.post("that goes again");
		assertThat(this.author.submit("/posts/" + gone + "/delete").status()).isEqualTo(303);
		this.reader.follow(this.author);
		friend.unfollow(this.author);
		assertThat(this.reader.submit("/posts/" + repost + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site);
		assertThat(this.reader.get("/home").postIds()).contains(post).doesNotContain(gone);
		assertThat(Visitor.of(site).get("/posts/" + post).body()).contains("a reply", "data-count=\"1\"");
		mend();
		sweep();
		assertThat(site.redis().xlen(Keys.DEAD_LETTERS)).isZero();
	}

	/** Of archived posts whose lists only the archive has. */
	@ParameterizedTest
	@EnumSource(names = { "KILLED", "PAUSED" })
	void noChangeOfAListOfAnArchivedPostHoldsUpNewPosts(Fault how) {
		String liked = this.old.get(2);
		Visitor friend = Visitor.registered(site);
		Visitor leaving = Visitor.registered(site);
		String id = leaving.id();
		List.of(friend, leaving).forEach((one) -> one.submit("/posts/" + liked + "/like"));
		String reply = friend.postJson("body", "a reply", "reply_to", liked)
			.json()
			.get("posts")
			.get(0)
			.get("id")
			.asString();
		FanOutWait.settle(site);
		move();
		Awaitility.await().atMost(BOUND).until(() -> {
			site.bean(LikesAndRepliesMover.class).moveAll(Duration.ZERO).block(BOUND);
			return site.redis().exists(Keys.likes(liked), Keys.replies(liked)) == 0;
		});
		String marked = this.author.post("the mover has noted it, and not moved it");
		site.redis().hset(Keys.post(marked), "archived", "1");
		leaving.get("/settings");
		breakBy(how);
		assertThat(friend.submit("/posts/" + reply + "/delete").status()).isEqualTo(303);
		assertThat(this.author.submit("/posts/" + marked + "/delete").status()).isEqualTo(303);
		assertThat(leaving.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
		String young = this.author.post("young");
		FanOutWait.settle(site);
		assertThat(Visitor.of(site).get("/timeline").postIds()).contains(young).doesNotContain(reply, marked);
		mend();
		Awaitility.await("both lists are right").atMost(BOUND).untilAsserted(() -> {
			sweep();
			assertThat(this.reader.get("/posts/" + liked + "/likes").body()).contains("@" + friend.name())
				.doesNotContain("@" + leaving.name());
			assertThat(this.reader.get("/posts/" + liked).body()).doesNotContain("a reply");
			assertThat(database.sql("select likes, replies from posts where id = '" + liked + "'"))
				.containsExactly("1|0");
		});
	}

	@ParameterizedTest
	@EnumSource
	void aLikeOfAnArchivedPostCountsLater(Fault how) {
		String liked = this.old.get(5);
		move();
		assertThat(this.reader.get("/posts/" + liked).status()).isEqualTo(200);
		breakBy(how);
		assertThat(this.reader.submit("/posts/" + liked + "/like").status()).isEqualTo(303);
		FanOutWait.settle(site);
		mend();
		Awaitility.await("the like").atMost(BOUND).untilAsserted(() -> {
			sweep();
			assertThat(database.sql("select likes from posts where id = '" + liked + "'")).containsExactly("1");
			assertThat(this.reader.get("/posts/" + liked + "/likes").body()).contains("@" + this.reader.name());
		});
	}

	@Test
	void healthAndMetricsTellThatTheArchiveIsAwayAndWhatWaitsForIt() {
		move();
		String gone = this.old.get(25);
		this.author.get("/posts/" + gone);
		ArchiveHealthIndicator health = site.bean(ArchiveHealthIndicator.class);
		assertThat(health.health().block(BOUND)).isNotNull()
			.satisfies((state) -> assertThat(state.getDetails()).containsEntry("archive", "answers"));
		assertThat(this.author.submit("/posts/" + gone + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site);
		breakBy(Fault.KILLED);
		assertThat(health.health().block(BOUND)).isNotNull().satisfies((state) -> {
			assertThat(state.getStatus()).isEqualTo(Status.UP);
			assertThat(state.getDetails().get("archive")).asString().startsWith("away: ");
			assertThat(state.getDetails().get("posts to delete")).asString().matches("[1-9]\\d*");
		});
		site.bean(ArchiveReconciler.class).run().onErrorComplete().block(BOUND);
		Awaitility.await()
			.atMost(BOUND)
			.untilAsserted(() -> assertThat(Visitor.ofManagement(site).get("/actuator/prometheus").body())
				.contains("retwis_archive_up 0.0", "retwis_archive_connections ", "retwis_archive_connections_awaited ")
				.containsPattern("retwis_archive_waiting [1-9]"));
		mend();
		Awaitility.await()
			.atMost(BOUND)
			.until(() -> Visitor.ofManagement(site)
				.get("/actuator/prometheus")
				.body()
				.contains("retwis_archive_up 1.0"));
	}

	@ParameterizedTest
	@EnumSource(names = { "KILLED", "PAUSED" })
	void anArchivedPostIsDeletedWhollyOrNotAtAll(Fault how) {
		String gone = this.old.get(7);
		move();
		breakBy(how);
		Answer refused = this.author.submit("/posts/" + gone + "/delete");
		assertThat(refused.status()).isEqualTo(503);
		assertThat(refused.took()).isLessThan(SOON);
		FanOutWait.settle(site);
		mend();
		assertThat(this.reader.get("/posts/" + gone).status()).isEqualTo(200);
		assertThat(this.author.submit("/posts/" + gone + "/delete").status()).isEqualTo(303);
		FanOutWait.settle(site);
		sweep();
		assertThat(this.reader.get("/posts/" + gone).status()).isEqualTo(404);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SLOW")
	@Tag("long")
	void movingGoesOnLater(Fault how) {
		breakBy(how);
		move();
		assertThat(this.store.inRedis(this.old)).hasSameSizeAs(this.old);
		assertThat(this.reader.get(profile()).postIds()).isEqualTo(this.old.subList(0, 20));
		mend();
		move();
		assertMoved();
	}

	@Test
	void postsMoveToASlowDatabaseToo() {
		breakBy(Fault.SLOW);
		move();
		mend();
		assertMoved();
	}

	private void assertMoved() {
		assertThat(this.store.inRedis(this.old)).isEmpty();
		Answer page = Awaitility.await("the page, soon after the database is back")
			.atMost(BOUND)
			.until(() -> this.reader.get(older()), (answer) -> answer.status() == 200);
		assertThat(page.postIds()).containsExactlyElementsOf(this.old.subList(20, 40));
	}

	@ParameterizedTest
	@EnumSource
	@Tag("long")
	void anAccountIsDeletedAndItsArchivedPostsFollow(Fault how) {
		move();
		String id = this.author.id();
		this.author.get("/settings");
		// A move that broke off: the list has a post that only the archive has.
		site.redis().zadd(Keys.postsOf(id), 1.0, this.old.get(39));
		breakBy(how);
		assertThat(this.author.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
		FanOutWait.settle(site);
		assertThat(site.redis().exists(Keys.postsOf(id))).isZero();
		mend();
		Awaitility.await("the archive has none of the posts")
			.atMost(Duration.ofSeconds(60))
			.until(() -> database.sql("select count(*) from posts where author = '" + id + "'").equals(List.of("0")));
		Awaitility.await("instances hear that cached posts are gone")
			.atMost(Duration.ofSeconds(60))
			.until(() -> site.redis().zscore(Keys.ARCHIVE_CLOSED, id) == null);
		assertThat(site.redis().xrevrange(Keys.LOG, Range.unbounded(), Limit.from(10)))
			.extracting((entry) -> entry.getBody().getOrDefault("type", "") + " "
					+ entry.getBody().getOrDefault("user", "") + " " + entry.getBody().getOrDefault("facts", ""))
			.anyMatch((entry) -> (how == Fault.KILLED) ? entry.equals("freed " + id + " ")
					: entry.startsWith("freed " + id));
	}

	@Test
	@Tag("long")
	void aDeletedAccountIsRememberedForAsLongAsTheArchiveHasItsPosts() {
		Visitor leaving = Visitor.registered(site);
		long longAgo = System.currentTimeMillis() - Duration.ofHours(13).toMillis();
		breakBy(Fault.KILLED);
		site.redis().zadd(Keys.ARCHIVE_CLOSED, longAgo, leaving.id());
		site.redis().zadd(Keys.CLOSED_ACCOUNTS, longAgo, leaving.id());
		Awaitility.await("it is told again although the archive is away")
			.atMost(Duration.ofSeconds(60))
			.until(() -> site.redis().zscore(Keys.CLOSED_ACCOUNTS, leaving.id()) > longAgo);
		assertThat(site.redis().zscore(Keys.ARCHIVE_CLOSED, leaving.id())).isGreaterThan(longAgo);
		mend();
	}

	/**
	 * Only what looks posts up by their ids is slow. Statements of pages are given up
	 * after two seconds, those of workers are not.
	 */
	@Test
	@Tag("long")
	void aReplyOfADeletedAccountLeavesItsConversationAlthoughTheArchiveWasSlow() {
		Visitor leaving = Visitor.registered(site);
		String id = leaving.id();
		String parent = this.reader.post("a question");
		String reply = this.store.plant(leaving, 1, 200).get(0);
		site.redis().hset(Keys.post(reply), "reply_to", parent);
		site.redis().zadd(Keys.replies(parent), 1.0, reply);
		site.redis().hset(Keys.post(parent), "replies", "1");
		move();
		leaving.get("/settings");
		breakBy(Fault.SLOW);
		database.sql("create or replace view posts as select * from stored where (select case when current_query() "
				+ "like '% id in (%' then pg_sleep(3)::text end is distinct from 'x')");
		assertThat(leaving.submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
		FanOutWait.settle(site);
		mend();
		Awaitility.await("the archive has none of the posts")
			.atMost(Duration.ofSeconds(60))
			.until(() -> database.sql("select count(*) from posts where author = '" + id + "'").equals(List.of("0")));
		FanOutWait.settle(site);
		assertThat(site.redis().zscore(Keys.replies(parent), reply)).isNull();
		assertThat(site.redis().hget(Keys.post(parent), "replies")).isEqualTo("0");
	}

	/** Uses as many connections at once as the instance may have. */
	private static void useAllConnections() {
		ArchiveDatabase archive = site.bean(ArchiveDatabase.class);
		Flux.range(0, 10)
			.flatMap((number) -> archive.read((client) -> client.sql("select pg_sleep(0.3)").fetch().rowsUpdated()))
			.blockLast(BOUND);
		assertThat(database.sql("select count(*) from pg_stat_activity where backend_type = 'client backend'"))
			.containsExactly("11");
	}

	private static boolean answers() {
		return site.bean(ArchivedPostRepository.class)
			.findAll(List.of("nobody"))
			.hasElement()
			.onErrorReturn(false)
			.blockOptional(BOUND)
			.orElseThrow();
	}

	/** Whoever asked while it was away makes the others wait for a second. */
	@Test
	void aServerThatWasRestartedIsReachedWithinTwoSeconds() {
		useAllConnections();
		database.kill();
		database.restart();
		Awaitility.await().atMost(Duration.ofSeconds(2)).until(ArchiveFaultTests::answers);
	}

	@Test
	void aLateFailureDoesNotHideADatabaseThatAnswersAgain() {
		ArchiveDatabase archive = site.bean(ArchiveDatabase.class);
		CompletableFuture<Boolean> late = archive
			.read((client) -> client.sql("select pg_sleep(10)").fetch().rowsUpdated().hasElement())
			.onErrorReturn(false)
			.toFuture();
		Awaitility.await().atMost(BOUND).until(ArchiveFaultTests::answers);
		assertThat(late.join()).as("it took too long").isFalse();
		assertThat(answers()).isTrue();
	}

	@Test
	void connectionsThatHangAreReplacedSoon() {
		useAllConnections();
		database.pauseConnections();
		try {
			Awaitility.await().atMost(Duration.ofSeconds(15)).until(ArchiveFaultTests::answers);
			for (int i = 0; i < 20; i++) {
				assertThat(answers()).as("answer %s", i).isTrue();
			}
		}
		finally {
			database.resume();
		}
	}

	/** Redis has the post that others reply to, and not the archived one above it. */
	@ParameterizedTest
	@EnumSource(names = { "KILLED", "PAUSED" })
	void repliesBelowAnArchivedPostAreLiveAndHoldUpNothing(Fault how) {
		String above = this.old.get(4);
		String replied = this.reader.postJson("body", "a reply", "reply_to", above)
			.json()
			.get("posts")
			.get(0)
			.get("id")
			.asString();
		FanOutWait.settle(site);
		move();
		this.author.get("/home");
		this.reader.get("/home");
		forgetWhatWasFetched();
		breakBy(how);
		try (EventStream everyone = this.author.open("/live/public")) {
			everyone.await((event) -> event.name().equals("position"));
			assertThat(this.author.postJson("body", "a reply to the reply", "reply_to", replied).status())
				.isEqualTo(201);
			everyone.awaitPost("a reply to the reply");
			everyone.awaitPost(this.author.post("the next post"));
			assertThat(everyone.events("reset")).isEmpty();
		}
		FanOutWait.settle(site);
		mend();
		sweep();
	}

	/** A reply that an instance accepted which still knew the archived post. */
	@ParameterizedTest
	@EnumSource(names = { "KILLED", "PAUSED" })
	void aReplyToAnArchivedPostHoldsUpNoWorker(Fault how) {
		String replied = this.old.get(5);
		move();
		this.author.get("/posts/" + replied);
		forgetWhatWasFetched();
		breakBy(how);
		String young = this.author.post("young");
		site.redis().hset(Keys.post(young), Map.of("reply_to", replied, "reply_username", this.author.name()));
		site.bean(RenderedPosts.class).filesChanged();
		FanOutWait.settle(site);
		site.beans(PostListener.class)
			.forEach((listener) -> Mono
				.zip(site.bean(RenderedPosts.class).require(young), site.bean(ListenerProgress.class).position())
				.flatMap((read) -> listener.posted(read.getT1(), read.getT2()))
				.block(BOUND));
		mend();
		sweep();
	}

	/** The reader has no archived posts, but reposts one. */
	@Test
	void anExportThatCannotBeCompleteBreaksOff() {
		this.reader.post("young");
		assertThat(this.reader.submit("/posts/" + this.old.get(3) + "/repost").status()).isEqualTo(303);
		FanOutWait.settle(site);
		move();
		assertThat(this.reader.get("/settings/export").body()).contains("text of " + this.old.get(3));
		forgetWhatWasFetched();
		breakBy(Fault.KILLED);
		assertThatException().isThrownBy(() -> this.reader.get("/settings/export"));
	}

	/** Some of the posts on the second page are archived, and others are not. */
	@Test
	void anOlderPageOfAListFailsRatherThanLeaveOutAPost() {
		List<String> posts = new ArrayList<>(this.store.plant(this.author, 30, 1));
		posts.add(25, this.old.get(30));
		String tag = "mixed" + System.nanoTime();
		long now = System.currentTimeMillis();
		List.of(Keys.bookmarks(this.reader.id()), Keys.tag(tag), Keys.PUBLIC_TIMELINE)
			.forEach((list) -> list(list, now, posts));
		move();
		List<String> first = List.of("/bookmarks", "/tags/" + tag);
		List<String> older = new ArrayList<>(first.stream().map((path) -> this.reader.get(path).older()).toList());
		older.add("/timeline?before=" + new Cursor(now - 19, posts.get(19)).text(Keys.PUBLIC_TIMELINE));
		forgetWhatWasFetched();
		breakBy(Fault.KILLED);
		first.forEach((path) -> assertAnswers(this.reader, path, 200));
		older.forEach((path) -> assertAnswers(this.reader, path, 503));
		mend();
		older.forEach((path) -> assertThat(this.reader.get(path).postIds()).contains(this.old.get(30)));
		site.redis().zrem(Keys.PUBLIC_TIMELINE, posts.toArray(String[]::new));
	}

	/** To fill a page, more is read than the page shows. */
	@Test
	void aPageIsShownAlthoughWhatWouldFillItIsAway() {
		Visitor muted = Visitor.registered(site);
		this.reader.get("/settings");
		this.reader.submit("/@" + muted.name() + "/mute");
		List<String> shown = this.store.plant(this.author, 40, 1);
		List<String> hidden = this.store.plant(muted, 30, 1);
		long now = System.currentTimeMillis();
		List<String> bookmarks = new ArrayList<>(shown.subList(0, 20));
		bookmarks.addAll(hidden.subList(0, 12));
		bookmarks.addAll(shown.subList(20, 38));
		bookmarks.add(this.old.get(30));
		list(Keys.bookmarks(this.reader.id()), now, bookmarks);
		List<String> everyone = new ArrayList<>(hidden);
		everyone.add(this.old.get(30));
		everyone.addAll(shown);
		list(Keys.PUBLIC_TIMELINE, now + BOUND.toMillis(), everyone);
		move();
		String older = this.reader.get("/bookmarks").older();
		forgetWhatWasFetched();
		breakBy(Fault.KILLED);
		assertThat(this.reader.get(older).postIds()).isEqualTo(shown.subList(20, 38));
		assertThat(this.reader.get("/timeline").postIds()).startsWith(shown.get(0));
		mend();
		site.redis().zrem(Keys.PUBLIC_TIMELINE, everyone.toArray(String[]::new));
	}

	private static void list(String key, long newest, List<String> posts) {
		for (int i = 0; i < posts.size(); i++) {
			site.redis().zadd(key, newest - i, posts.get(i));
		}
	}

	/** Neither this instance nor Redis has what was read from the archive. */
	private static void forgetWhatWasFetched() {
		site.bean(RenderedPosts.class).filesChanged();
		site.keys(Keys.ARCHIVED + "*").forEach((key) -> site.redis().del(key));
	}

}
