package live.retwis.account;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.function.Predicate;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.log.Intents;
import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.EventStream.Event;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A write of several steps that is broken off: its client goes away, or its instance is
 * killed. A short time later either all steps are done and every instance knows it, or
 * none is. The doctor is not needed for that.
 */
enum BrokenWrite {

	/** The name leads to a complete user, or it is free. */
	REGISTRATION(6, "user:", "username:", "fence:{username:") {

		@Override
		Answer ask(Scene scene) {
			return scene.actor().register(scene.name(), Visitor.PASSWORD);
		}

		@Override
		void assertSettled(Scene scene) {
			Site site = scene.survivor();
			String owner = site.redis().get("username:" + scene.name());
			List<String> users = site.keys("user:*")
				.stream()
				.filter((key) -> scene.name().equals(site.redis().hget(key, "username")))
				.toList();
			assertThat(users).isEqualTo((owner != null) ? List.of("user:" + owner) : List.of());
			if (owner != null) {
				assertThat(site.redis().zscore("users:recent", owner)).isNotNull();
			}
		}

	},

	/** All sessions and streams of the user are ended on every instance, or none is. */
	LOGOUT(5, "user:", "auth:", "fence:{user:") {

		@Override
		Answer ask(Scene scene) {
			return scene.actor().submit("/logout");
		}

		@Override
		void assertSettled(Scene scene) {
			boolean over = !scene.same().isSignedIn();
			assertEnded(scene.homes(), over);
		}

	},

	/**
	 * Only the new password logs in, and all sessions and streams from before are ended;
	 * or nothing has changed.
	 */
	PASSWORD(7, "user:", "auth:", "fence:{user:") {

		@Override
		Answer ask(Scene scene) {
			return scene.actor()
				.submit("/settings/password", "old", Visitor.PASSWORD, "password", NEW_PASSWORD, "password2",
						NEW_PASSWORD);
		}

		@Override
		void assertSettled(Scene scene) {
			boolean changed = logsIn(scene, NEW_PASSWORD);
			assertThat(logsIn(scene, Visitor.PASSWORD)).isEqualTo(!changed);
			assertEnded(scene.homes(), changed);
			assertThat(changed || scene.same().isSignedIn()).isTrue();
		}

	},

	/**
	 * The account and all its data are gone, and this is logged once; or nothing has
	 * changed.
	 */
	CLOSING(6, "user:", "auth:", "fence:{user:") {

		@Override
		Answer ask(Scene scene) {
			return scene.actor().submit("/settings/delete", "password", Visitor.PASSWORD);
		}

		@Override
		void assertSettled(Scene scene) {
			Site site = scene.survivor();
			if ("deleted".equals(site.redis().hget("user:" + scene.id(), "state"))) {
				Awaitility.await().atMost(LONGEST).until(() -> site.redis().exists("username:" + scene.name()) == 0);
				assertThat(site.redis().exists("posts:" + scene.id(), "following:" + scene.id())).isZero();
				assertThat(site.redis().zscore("{live}:public", scene.post())).isNull();
				scene.everyone().forEach((stream) -> {
					stream.await((event) -> event.name().equals("gone") && event.data().equals(scene.id()));
					assertThat(about(stream, "gone", scene.id())).hasSize(1);
				});
			}
			else {
				assertThat(scene.same().isSignedIn()).isTrue();
				assertThat(scene.everyone())
					.allSatisfy((stream) -> assertThat(about(stream, "gone", scene.id())).isEmpty());
			}
		}

	},

	/** Every stored post is in the log and in its author's lists. */
	POST(5, "post:", "{live}:public", "posts:") {

		@Override
		Answer ask(Scene scene) {
			return scene.actor().postJson("body", TEXT, "once", "x".repeat(20));
		}

		@Override
		void assertSettled(Scene scene) {
			Site site = scene.survivor();
			List<String> stored = site.keys("post:*")
				.stream()
				.filter((key) -> scene.id().equals(site.redis().hget(key, "author")))
				.map((key) -> key.substring("post:".length()))
				.filter((id) -> !id.equals(scene.post()))
				.toList();
			assertThat(site.redis().zrange("{live}:public", 0, -1)).containsAll(stored);
			Awaitility.await()
				.atMost(LONGEST)
				.until(() -> site.redis().zrange("posts:" + scene.id(), 0, -1).containsAll(stored));
			scene.everyone().forEach((stream) -> {
				if (!stored.isEmpty()) {
					stream.awaitPost(TEXT);
				}
				assertThat(stream.events("post")).hasSize(stored.size());
			});
		}

	},

	/**
	 * The post is in its lists, or it is gone from all of them and the deletion is told.
	 */
	DELETION(3, "post:", "{live}:log") {

		@Override
		Answer ask(Scene scene) {
			return scene.actor().submit("/posts/" + scene.post() + "/delete");
		}

		@Override
		void assertSettled(Scene scene) {
			Site site = scene.survivor();
			boolean deleted = site.redis().hexists("post:" + scene.post(), "deleted");
			List.of("posts:" + scene.id(), "{live}:public")
				.forEach((list) -> Awaitility.await(list)
					.atMost(LONGEST)
					.until(() -> (site.redis().zscore(list, scene.post()) == null) == deleted));
			// A deletion that was told would have come before this post.
			String later = scene.other().post("after the deletion");
			scene.everyone().forEach((stream) -> {
				stream.awaitPost(later);
				assertThat(about(stream, "delete", scene.post())).hasSize(deleted ? 1 : 0);
			});
		}

	},

	/** The lists of both users and the log agree. */
	FOLLOW(5, "following:", "{followers:", "{live}:log") {

		@Override
		Answer ask(Scene scene) {
			return scene.actor().submit("/@" + scene.other().name() + "/follow");
		}

		@Override
		void assertSettled(Scene scene) {
			Site site = scene.survivor();
			boolean follows = site.redis().zscore("following:" + scene.id(), scene.other().id()) != null;
			assertThat(site.redis().zscore("followers:" + scene.other().id(), scene.id()) != null).isEqualTo(follows);
			String text = "by whom is followed " + System.nanoTime();
			String post = scene.other().post(text);
			scene.everyone().forEach((stream) -> stream.awaitPost(text));
			if (follows) {
				scene.homes().forEach((stream) -> stream.awaitPost(post));
				Awaitility.await().atMost(LONGEST).until(() -> scene.same().get("/home").postIds().contains(post));
			}
		}

	},

	/** What the user sees, who likes the post, and its count agree. */
	LIKE(2, "liked:", "likes:", "{live}:log") {

		@Override
		Answer ask(Scene scene) {
			return scene.actor().submit("/posts/" + scene.post() + "/like");
		}

		@Override
		void assertSettled(Scene scene) {
			Site site = scene.survivor();
			boolean likes = site.redis().zscore("liked:" + scene.id(), scene.post()) != null;
			Awaitility.await()
				.atMost(LONGEST)
				.until(() -> likes == (site.redis().zscore("likes:" + scene.post(), scene.id()) != null));
			scene.everyone().forEach((stream) -> {
				if (likes) {
					stream.await((event) -> event.name().equals("counts") && event.data().contains("\"likes\":1"));
				}
				assertThat(stream.events("counts").isEmpty()).isEqualTo(!likes);
			});
		}

	},

	/** Every stored repost is in the log, in its author's list, and counted. */
	REPOST(8, "post:", "{live}:public", "posts:", "reposts:") {

		@Override
		Answer ask(Scene scene) {
			return scene.actor().submit("/posts/" + scene.post() + "/repost");
		}

		@Override
		void assertSettled(Scene scene) {
			Site site = scene.survivor();
			List<String> stored = site.keys("post:*")
				.stream()
				.filter((key) -> scene.post().equals(site.redis().hget(key, "repost_of")))
				.map((key) -> key.substring("post:".length()))
				.toList();
			assertThat(stored.size()).isLessThanOrEqualTo(1);
			Awaitility.await()
				.atMost(LONGEST)
				.until(() -> site.redis().hvals("reposts:" + scene.post()).equals(stored)
						&& site.redis().zrange("posts:" + scene.id(), 0, -1).containsAll(stored));
			if (!stored.isEmpty()) {
				// The dead instance may have had the entry. Another one takes it over
				// after ten seconds.
				Awaitility.await()
					.atMost(LONGEST)
					.until(() -> scene.everyone()
						.stream()
						.allMatch((stream) -> stream.events("counts")
							.stream()
							.anyMatch((event) -> event.data().contains("\"reposts\":1"))));
			}
			assertThat(scene.same().get("/posts/" + scene.post()).status()).isEqualTo(200);
		}

	};

	static final Duration LONGEST = Duration.ofSeconds(20);

	private static final String TEXT = "that may break off";

	private static final String NEW_PASSWORD = "a better horse battery";

	/** How often each instance looks for writes whose time is over. */
	private static final Duration SWEEP = Duration.ofSeconds(1);

	/** How long a write is left alone when an instance could not finish it. */
	private static final Duration NEXT_TRY = Duration.ofSeconds(10);

	/** For the write itself before it is broken off, and for who finishes it. */
	private static final Duration SOME_SECONDS = Duration.ofSeconds(5);

	/**
	 * How long a write may be unfinished. Without a lock it has ten seconds before
	 * another instance takes it over. With one it has the wait for the lock, a lease and
	 * a second, which are five seconds where instances are killed. On a busy machine the
	 * lease of whoever finishes it may end too early, so one more try is allowed for.
	 */
	private static final Duration SETTLED = Intents.SHORT.plus(SWEEP).plus(NEXT_TRY).plus(SOME_SECONDS);

	/** After this time an operation that was held up is running again. */
	private static final Duration QUIET = Duration.ofMillis(200);

	/** Beginning of the key that keeps late owners of a lock away. */
	private static final String FENCE = "fence:{";

	private final int commands;

	private final List<String> keys;

	/**
	 * A write.
	 * @param commands number of its commands that name these keys
	 * @param keys beginnings of the keys
	 */
	BrokenWrite(int commands, String... keys) {
		this.commands = commands;
		this.keys = List.of(keys);
	}

	/** The key that its lock guards; empty for a write without a lock. */
	Optional<String> guarded(Scene scene) {
		return this.keys.stream()
			.filter((key) -> key.startsWith(FENCE))
			.map((key) -> key.substring(FENCE.length()))
			.map((key) -> key + (key.equals("username:") ? scene.name() : scene.id()))
			.findFirst();
	}

	/** At how many commands it can be broken off, at least: readers send some, too. */
	int commands() {
		return this.commands;
	}

	/** Sends the form. */
	abstract Answer ask(Scene scene);

	/** Checks that all steps are done, or none. */
	abstract void assertSettled(Scene scene);

	/**
	 * The events about a post or a user. What an earlier test has broken off is told once
	 * more a minute later.
	 */
	private static List<Event> about(EventStream stream, String name, String id) {
		return stream.events(name).stream().filter((event) -> event.data().equals(id)).toList();
	}

	/** Either all of the streams end, or all stay open. */
	private static void assertEnded(List<EventStream> streams, boolean ended) {
		assertThat(streams)
			.allSatisfy((stream) -> assertThat(stream.endsWithin(ended ? LONGEST : QUIET)).isEqualTo(ended));
	}

	private static boolean logsIn(Scene scene, String password) {
		Visitor device = Visitor.of(scene.survivor());
		device.get("/login");
		return device.signIn(scene.name(), password).status() == 303;
	}

	/** Recognises the write's commands to the data node by the keys in them. */
	private Predicate<SentCommand> isStep(Scene scene) {
		Predicate<SentCommand> names = (command) -> command.arguments()
			.stream()
			.anyMatch((argument) -> argument.equals("{live}:intents")
					|| this.keys.stream().anyMatch(argument::startsWith));
		Predicate<SentCommand> about = (command) -> command.arguments()
			.stream()
			.anyMatch((argument) -> argument.contains(scene.id()) || argument.contains(scene.name())
					|| argument.contains(scene.post()));
		return names.and(about);
	}

	/**
	 * Breaks the write off at one of its commands.
	 * @param number number of the command, from 1
	 * @param replied whether the command is done, and only its answer does not arrive
	 * @param breakOff what happens at the command; it receives the future that waits for
	 * the answer
	 * @return whether the write has this many commands
	 */
	boolean breakOff(Scene scene, int number, boolean replied, Consumer<Future<?>> breakOff) {
		return breakOff(scene, HeldCommand.data(isStep(scene)).number(number), List.of(scene.way()), replied, breakOff);
	}

	/**
	 * Breaks the write off at a command to several servers.
	 * @param moment the command
	 * @param ways proxies to these servers
	 * @param replied whether the command is done, and only its answer does not arrive
	 * @param breakOff what happens at the command; it receives the future that waits for
	 * the answer
	 * @return whether the write has this command
	 */
	boolean breakOff(Scene scene, HeldCommand moment, List<FaultProxy> ways, boolean replied,
			Consumer<Future<?>> breakOff) {
		List<Interception> held = (replied ? moment.reply() : moment).at(ways);
		FutureTask<Integer> answer = new FutureTask<>(() -> ask(scene).status());
		new Thread(answer, "asks").start();
		Awaitility.await()
			.pollInterval(Duration.ofMillis(5))
			.pollDelay(Duration.ZERO)
			.atMost(LONGEST)
			.until(() -> isMet(held) || answer.isDone());
		boolean met = isMet(held);
		if (met) {
			breakOff.accept(answer);
		}
		held.forEach(Interception::close);
		Awaitility.await().atMost(LONGEST).until(answer::isDone);
		Awaitility.await(this + " is brought to an end")
			.pollInterval(Duration.ofMillis(20))
			.during(QUIET)
			.atMost(SETTLED)
			.until(() -> StoredIntents.open(scene.survivor()).isEmpty());
		assertSettled(scene);
		return met;
	}

	private static boolean isMet(List<Interception> held) {
		return held.stream().allMatch((one) -> one.met() > 0);
	}

	/**
	 * A user of one instance, and what can be seen there and at another one.
	 *
	 * @param survivor the other instance, which keeps running
	 * @param way proxy between the first instance and the data node
	 * @param actor the user who sends the form
	 * @param name name of the actor, or the name to register
	 * @param id id of the actor; an unused one before the registration
	 * @param post a post of the actor; an unused id before the registration
	 * @param other another user
	 * @param homes the actor's home streams at the instances that keep running
	 * @param everyone the public streams there
	 */
	record Scene(Site survivor, FaultProxy way, Visitor actor, String name, String id, String post, Visitor other,
			List<EventStream> homes, List<EventStream> everyone) implements AutoCloseable {

		private static final String NOBODY = "nobody";

		/**
		 * A scene whose actor is signed in at the first instance, or is about to register
		 * there.
		 * @param dies whether the first instance will be killed; then its streams tell
		 * nothing
		 */
		static Scene of(Site survivor, FaultProxy way, String origin, BrokenWrite write, boolean dies) {
			Visitor other = Visitor.registered(survivor);
			if (write == REGISTRATION) {
				Visitor stranger = Visitor.at(origin);
				stranger.get("/register");
				return new Scene(survivor, way, stranger, Visitor.freshName(), NOBODY, NOBODY, other, List.of(),
						List.of());
			}
			Visitor there = Visitor.registered(survivor);
			Visitor actor = there.sentTo(origin);
			String post = there.post("of the actor");
			Awaitility.await().atMost(LONGEST).until(() -> actor.get("/timeline").postIds().contains(post));
			List<Visitor> places = dies ? List.of(there) : List.of(there, actor);
			List<EventStream> homes = open(places, "/live/home");
			List<EventStream> everyone = open(places, "/live/public");
			actor.get("/settings");
			return new Scene(survivor, way, actor, actor.name(), actor.id(), post, other, homes, everyone);
		}

		private static List<EventStream> open(List<Visitor> places, String path) {
			List<EventStream> streams = places.stream().map((place) -> place.open(path)).toList();
			streams.forEach((stream) -> stream.await((event) -> event.name().equals("position")));
			return streams;
		}

		/** The actor as a visitor of the other instance. */
		Visitor same() {
			return this.actor.sentTo(this.survivor.url(""));
		}

		@Override
		public void close() {
			this.homes.forEach(EventStream::close);
			this.everyone.forEach(EventStream::close);
		}

	}

}
