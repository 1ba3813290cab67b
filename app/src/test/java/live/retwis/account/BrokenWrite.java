package live.retwis.account;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.function.Predicate;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A write of several steps that breaks off: whoever asked for it goes away, or its
 * instance is killed. Soon it is whole and told on every instance, or as if it had never
 * begun; no doctor is needed for that.
 */
enum BrokenWrite {

	/** A name is taken and leads to a whole user, or to none. */
	REGISTRATION("user:", "username:", "fence:{username:") {

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

	/** The sessions are over, and the streams of the user are on every instance. */
	LOGOUT("user:", "auth:", "fence:{user:") {

		@Override
		Answer ask(Scene scene) {
			return scene.actor().submit("/logout");
		}

		@Override
		void assertSettled(Scene scene) {
			boolean over = !scene.same().isSignedIn();
			assertThat(scene.home().endsWithin(over ? LONGEST : Duration.ofMillis(200))).isEqualTo(over);
		}

	},

	/** The account is gone with all its traces, and told once; or nothing is. */
	CLOSING("user:", "auth:", "fence:{user:") {

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
				scene.everyone().await((event) -> event.name().equals("gone"));
				assertThat(scene.everyone().events("gone")).hasSize(1);
			}
			else {
				assertThat(scene.same().isSignedIn()).isTrue();
				assertThat(scene.everyone().events("gone")).isEmpty();
			}
		}

	},

	/** Each post that is stored is in the log, and in its author's lists. */
	POST("post:", "{live}:public", "posts:") {

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
			if (!stored.isEmpty()) {
				scene.everyone().awaitPost(TEXT);
			}
			assertThat(scene.everyone().events("post")).hasSize(stored.size());
		}

	},

	/** The post is there, or nowhere, and told. */
	DELETION("post:", "{live}:log") {

		@Override
		Answer ask(Scene scene) {
			return scene.actor().submit("/posts/" + scene.post() + "/delete");
		}

		@Override
		void assertSettled(Scene scene) {
			Site site = scene.survivor();
			if (site.redis().hexists("post:" + scene.post(), "deleted")) {
				scene.everyone().await((event) -> event.name().equals("delete"));
				Awaitility.await()
					.atMost(LONGEST)
					.until(() -> site.redis().zscore("posts:" + scene.id(), scene.post()) == null
							&& site.redis().zscore("{live}:public", scene.post()) == null);
			}
			assertThat(scene.everyone().events("delete").size()).isLessThanOrEqualTo(1);
		}

	},

	/** Both sides and the log are as whom the one follows says. */
	FOLLOW("following:", "{followers:", "{live}:log") {

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
			scene.everyone().awaitPost(text);
			if (follows) {
				scene.home().awaitPost(post);
				Awaitility.await().atMost(LONGEST).until(() -> scene.same().get("/home").postIds().contains(post));
			}
		}

	};

	static final Duration LONGEST = Duration.ofSeconds(20);

	private static final String TEXT = "that may break off";

	/** A lease, the wait for it, and the sweep; of other writes ten seconds. */
	private static final Duration SETTLED = Duration.ofSeconds(15);

	/** What was held up has begun by then to go on. */
	private static final Duration QUIET = Duration.ofMillis(200);

	private final List<String> keys;

	BrokenWrite(String... keys) {
		this.keys = List.of(keys);
	}

	/** Sends the form. */
	abstract Answer ask(Scene scene);

	/** Whole, or as if it had never begun. */
	abstract void assertSettled(Scene scene);

	/** Its commands to the data node are told by the keys that they name. */
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
	 * Breaks off at one of its commands.
	 * @param number of the command, from 1
	 * @param replied whether the command is done and only its answer does not arrive
	 * @param breakOff what happens then, given what waits for the answer
	 * @return whether it has so many commands
	 */
	boolean breakOff(Scene scene, int number, boolean replied, Consumer<Future<?>> breakOff) {
		HeldCommand moment = HeldCommand.data(isStep(scene)).number(number);
		List<Interception> held = (replied ? moment.reply() : moment).at(List.of(scene.way()));
		FutureTask<Integer> answer = new FutureTask<>(() -> ask(scene).status());
		new Thread(answer, "asks").start();
		Awaitility.await()
			.pollInterval(Duration.ofMillis(5))
			.pollDelay(Duration.ZERO)
			.atMost(LONGEST)
			.until(() -> held.get(0).met() > 0 || answer.isDone());
		boolean met = held.get(0).met() > 0;
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

	/**
	 * Somebody who asks one instance, and what others see.
	 *
	 * @param survivor another instance, which goes on
	 * @param way of the one instance to the data node
	 * @param actor who asks
	 * @param name of the actor, or the one to register
	 * @param id of the actor; nobody's while there is none
	 * @param post of the actor; nobody's while there is none
	 * @param other somebody else
	 * @param home the actor's stream at the other instance
	 * @param everyone a stream there, too
	 */
	record Scene(Site survivor, FaultProxy way, Visitor actor, String name, String id, String post, Visitor other,
			EventStream home, EventStream everyone) implements AutoCloseable {

		private static final String NOBODY = "nobody";

		/** Somebody who is signed in at the one, or is about to be. */
		static Scene of(Site survivor, FaultProxy way, String origin, BrokenWrite write) {
			Visitor other = Visitor.registered(survivor);
			if (write == REGISTRATION) {
				Visitor stranger = Visitor.at(origin);
				stranger.get("/register");
				return new Scene(survivor, way, stranger, Visitor.freshName(), NOBODY, NOBODY, other,
						other.open("/live/home"), other.open("/live/public"));
			}
			Visitor there = Visitor.registered(survivor);
			Visitor actor = there.sentTo(origin);
			String post = there.post("of the actor");
			Awaitility.await().atMost(LONGEST).until(() -> actor.get("/timeline").postIds().contains(post));
			EventStream home = there.open("/live/home");
			EventStream everyone = there.open("/live/public");
			List.of(home, everyone).forEach((stream) -> stream.await((event) -> event.name().equals("position")));
			actor.get("/settings");
			return new Scene(survivor, way, actor, actor.name(), actor.id(), post, other, home, everyone);
		}

		/** The actor at the other instance. */
		Visitor same() {
			return this.actor.sentTo(this.survivor.url(""));
		}

		@Override
		public void close() {
			this.home.close();
			this.everyone.close();
		}

	}

}
