package live.retwis.ops;

import java.awt.Color;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

import live.retwis.account.RegistrationMode;
import live.retwis.demo.Demo;
import live.retwis.doctor.Doctor;
import live.retwis.moderation.AbuseReportListing;
import live.retwis.moderation.Moderation;
import live.retwis.moderation.ModerationLog;
import live.retwis.redis.Keys;
import live.retwis.redis.TimeSortedIdGenerator;
import live.retwis.startup.EmbeddedArchiveUrl;
import live.retwis.testing.EventStream;
import live.retwis.testing.Pictures;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Uses everything that the site offers. Two instances run one after the other, the first
 * on an empty store, each with another lock engine.
 */
final class WholeSiteTour {

	private static final Duration SOON = Duration.ofSeconds(30);

	/** More posts than fit on a page. */
	private static final int POSTS = 22;

	private final List<String> data;

	private final String locks;

	private final Path archive;

	/**
	 * Plans a tour.
	 * @param data settings that name the data node
	 * @param locks the setting that names the lock nodes
	 * @param archive a directory for the archive of old posts
	 */
	WholeSiteTour(List<String> data, String locks, Path archive) {
		this.data = data;
		this.locks = locks;
		this.archive = archive;
	}

	private Site start(String... settings) {
		List<String> all = new ArrayList<>(List.of(this.locks, "--retwis.locks.node-timeout=1s",
				"--retwis.locks.lease=1s", "--retwis.limits.enabled=true", "--retwis.limits.registrations=1000/1m",
				"--retwis.limits.posts=1000/1m", "--retwis.follow.shard=2", "--retwis.timeline.push-limit=5",
				"--retwis.timeline.public-size=20", "--retwis.timeline.size=20", "--retwis.lab.enabled=true",
				"--retwis.xray.enabled=true", "--retwis.xray.users=*",
				"--retwis.archive.url=" + EmbeddedArchiveUrl.in(this.archive), "--retwis.archive.every=200ms"));
		all.addAll(List.of(settings));
		return Site.startOn(this.data, all.toArray(String[]::new));
	}

	/** X-ray looks at the keys of a page, and into keys of each type. */
	private static void looking(Visitor reader) {
		String post = reader.post("X-ray");
		for (String path : List.of("/home?xray=1", "/posts/" + post + "?xray=1", "/xray/keys?key=user:" + reader.id(),
				"/xray/keys?key=posts:" + reader.id(), "/xray/keys?key=%7Blive%7D:log",
				"/xray/keys?key=username:" + reader.name().toLowerCase(Locale.ROOT))) {
			assertThat(reader.get(path).status()).as(path).isEqualTo(200);
		}
	}

	void make() {
		Visitor reader;
		Visitor author;
		try (Site site = start("--retwis.locks.engine=redisson")) {
			author = Visitor.registered(site);
			List<Visitor> readers = IntStream.range(0, 6).mapToObj((i) -> Visitor.registered(site)).toList();
			reader = readers.get(0);
			posting(author, readers);
			reading(reader, author);
			sessions(site, readers.get(1), author);
			looking(reader);
			assertThat(site.bean(Demo.class).run(true, 1).take(4).collectList().block(SOON)).hasSize(4);
			examine(site);
			settings(site, readers.get(3));
			moderate(site, readers.get(4));
			archive(site, author, readers.get(2));
			readers.get(2).get("/settings");
			assertThat(readers.get(2).submit("/settings/delete", "password", Visitor.PASSWORD).status()).isEqualTo(303);
			examine(site);
		}
		try (Site site = start("--retwis.locks.engine=parallel", "--retwis.redis.wait-replicas=1",
				"--retwis.redis.wait-timeout=50ms")) {
			Visitor again = reader.sentTo(site.url(""));
			again.get("/home");
			// Posting is refused, because there is no replica that could confirm the
			// post.
			assertThat(again.postJson("body", "confirmed", "once", UUID.randomUUID().toString()).status())
				.isEqualTo(503);
			try (EventStream stream = again.open("/live/public")) {
				stream.await((event) -> event.name().equals("position"));
			}
			assertThat(Visitor.registered(site).isSignedIn()).isTrue();
		}
	}

	private static void posting(Visitor author, List<Visitor> readers) {
		readers.subList(0, 5).forEach((reader) -> reader.follow(author));
		try (EventStream stream = readers.get(0).open(readers.get(0).get("/home").live())) {
			IntStream.range(0, POSTS).forEach((i) -> author.post("post " + i));
			stream.awaitPost("post " + (POSTS - 1));
		}
		String replied = author.post("question");
		author.get("/posts/" + replied);
		author.submit("/posts", "body", "answer", "once", UUID.randomUUID().toString(), "reply_to", replied);
		assertThat(author.get("/posts/" + replied).texts()).contains("answer");
		readers.get(0).get("/posts/" + replied);
		readers.get(0).submit("/posts/" + replied + "/like");
		readers.get(0).getJson("/reactions?posts=" + replied);
		Awaitility.await()
			.atMost(SOON)
			.until(() -> author.get("/posts/" + replied + "/likes").body().contains("@" + readers.get(0).name()));
		readers.get(0).submit("/posts/" + replied + "/unlike");
		readers.get(0).submit("/posts/" + replied + "/report", "reason", "tour");
		author.get("/posts/" + replied);
		author.submit("/posts/" + replied + "/delete");
		String tagged = author.post("#tour with @" + readers.get(0).name());
		Awaitility.await().atMost(SOON).until(() -> readers.get(0).get("/mentions").postIds().contains(tagged));
		author.get("/posts/" + tagged);
		author.submit("/posts/" + tagged + "/delete");
		assertThat(readers.get(0).get("/tags/tour").postIds()).isEmpty();
		readers.get(5).follow(author);
		author.post("pulled");
		readers.forEach((
				reader) -> Awaitility.await().atMost(SOON).until(() -> reader.get("/home").texts().contains("pulled")));
	}

	private static void reading(Visitor reader, Visitor author) {
		for (String page : List.of("/", "/home", "/timeline", "/@" + author.name(), "/@" + author.name() + "/followers",
				"/@" + reader.name() + "/following", "/@" + author.name() + "/common", "/search", "/search?q=post",
				"/settings", "/lab", "/notifications", "/notifications/unread")) {
			assertThat(reader.get(page).status()).as(page).isIn(200, 303);
		}
		for (String page : List.of("/home", "/timeline", "/@" + author.name())) {
			String older = reader.getJson(page).json().path("older").asString();
			if (!older.isEmpty()) {
				assertThat(reader.get(page + "?before=" + older).status()).as(page).isEqualTo(200);
			}
		}
		reader.unfollow(author);
	}

	private static void sessions(Site site, Visitor reader, Visitor author) {
		Visitor other = Visitor.of(site);
		other.get("/login");
		assertThat(other.signIn(reader.name(), "wrong").status()).isEqualTo(401);
		other.get("/login");
		assertThat(other.signIn(reader.name(), Visitor.PASSWORD).status()).isEqualTo(303);
		other.get("/home");
		assertThat(other.submit("/logout").status()).isEqualTo(303);
		assertThat(reader.isSignedIn()).isFalse();
		assertThat(author.isSignedIn()).isTrue();
		Awaitility.await()
			.atMost(SOON)
			.until(() -> Visitor.ofManagement(site).get("/actuator/health/readiness").status() == 200);
	}

	private static void settings(Site site, Visitor reader) {
		Visitor phone = Visitor.signedIn(site, reader.name());
		String sessions = "/settings/sessions";
		String other = phone.get(sessions).find("formaction=\"(" + sessions + "/[0-9a-f]+/end)\"");
		assertThat(phone.submit(other).status()).isEqualTo(303);
		assertThat(reader.isSignedIn()).isFalse();
		reader.get("/login");
		reader.signIn(reader.name(), Visitor.PASSWORD);
		reader.get(sessions);
		reader.submit(sessions + "/others/end");
		assertThat(phone.isSignedIn()).isFalse();
		reader.get("/settings");
		assertThat(reader.submit("/settings/profile", "name", "Reader", "bio", "reads").status()).isEqualTo(303);
		assertThat(reader
			.submitParts("/settings/profile", "name", "Reader", "picture", Pictures.plain("png", 9, 9, Color.RED))
			.status()).isEqualTo(303);
		String picture = reader.get("/@" + reader.name()).find("<img src=\"(/pictures/[^\"]*)\"");
		assertThat(reader.get(picture).status()).isEqualTo(200);
		assertThat(reader.get("/settings/export").json().get("following")).isNotEmpty();
		String password = "another " + Visitor.PASSWORD;
		reader.get("/settings");
		assertThat(reader
			.submit("/settings/password", "old", Visitor.PASSWORD, "password", password, "password2", password)
			.status()).isEqualTo(303);
		assertThat(reader.isSignedIn()).isTrue();
	}

	private static void moderate(Site site, Visitor reader) {
		Moderation moderation = site.bean(Moderation.class);
		moderation.suspend("operator", reader.name()).block(SOON);
		assertThat(reader.isSignedIn()).isFalse();
		moderation.restore("operator", reader.name()).block(SOON);
		assertThat(Visitor.signedIn(site, reader.name()).isSignedIn()).isTrue();
		moderation.setRegistration("operator", RegistrationMode.OPEN).block(SOON);
		assertThat(site.bean(AbuseReportListing.class).lines().collectList().block(SOON)).isNotNull();
		assertThat(site.bean(ModerationLog.class).lines().collectList().block(SOON)).hasSize(3);
	}

	/** Posts that were made long ago move to the archive. */
	private static void archive(Site site, Visitor author, Visitor reader) {
		String kept = old(site, author, 1);
		String deleted = old(site, author, 2);
		old(site, reader, 3);
		assertThat(reader.submit("/posts/" + kept + "/like").status()).isEqualTo(303);
		assertThat(reader.get("/posts/" + kept).body()).contains("of long ago");
		assertThat(author.submit("/posts/" + deleted + "/delete").status()).isEqualTo(303);
		assertThat(author.get("/posts/" + deleted).status()).isEqualTo(404);
	}

	private static String old(Site site, Visitor author, int number) {
		long millis = System.currentTimeMillis() - Duration.ofDays(100).toMillis();
		String post = TimeSortedIdGenerator.of(millis, number);
		ReactiveStringRedisTemplate redis = site.bean(ReactiveStringRedisTemplate.class);
		redis.opsForHash()
			.putAll(Keys.post(post),
					Map.of("author", author.id(), "username", author.name(), "created", Long.toString(millis), "body",
							"of long ago"))
			.block(SOON);
		redis.opsForZSet().add(Keys.postsOf(author.id()), post, millis).block(SOON);
		Awaitility.await().atMost(SOON).until(() -> Boolean.FALSE.equals(redis.hasKey(Keys.post(post)).block(SOON)));
		return post;
	}

	/** Runs the doctor, which must find nothing wrong and removes what log-outs left. */
	private static void examine(Site site) {
		assertThat(site.bean(Doctor.class).examine(true, true, (progress) -> {
		}).map(Doctor.Line::text).collectList().block(SOON)).last().asString().contains("every rule holds.");
	}

}
