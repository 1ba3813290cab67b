package live.retwis.account;

import java.awt.Color;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import live.retwis.doctor.Doctor;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.Intent;
import live.retwis.moderation.Moderation;
import live.retwis.picture.Picture;
import live.retwis.picture.UploadedPictureConverter;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.EventStream;
import live.retwis.testing.Pictures;
import live.retwis.testing.Site;
import live.retwis.testing.Traces;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(120)
@ExtendWith(RedisExtension.class)
class PictureTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private static final byte[] BLUE = Pictures.plain("png", 300, 200, Color.BLUE);

	private static final byte[] RED = Pictures.plain("gif", 30, 60, Color.RED);

	private static final String UNREADABLE = "This file is not a JPEG, PNG or GIF picture, or it is damaged. "
			+ "Choose another one.";

	private final Site site = Site.shared();

	private final Visitor visitor = Visitor.registered(this.site);

	private static Answer send(Visitor visitor, byte[] picture, Object... more) {
		visitor.get("/settings");
		Object[] parts = { "name", "Ada", "bio", "counts", "picture", picture };
		Object[] all = Arrays.copyOf(parts, parts.length + more.length);
		System.arraycopy(more, 0, all, parts.length, more.length);
		return visitor.submitParts("/settings/profile", all);
	}

	private static void upload(Visitor visitor, byte[] picture) {
		Answer answer = send(visitor, picture);
		assertThat(answer.status()).as(answer.body()).isEqualTo(303);
		assertThat(answer.location()).isEqualTo("/settings?profile-changed");
	}

	/** The address of the first picture of this user on a page; empty for none. */
	private static String pictureOf(Visitor user, Answer page) {
		return Pattern.compile("data-picture-of=\"" + user.id() + "\"[^>]*>.<img src=\"([^\"]*)\"")
			.matcher(page.body())
			.results()
			.map((found) -> found.group(1))
			.findFirst()
			.orElse("");
	}

	private String shown() {
		return pictureOf(this.visitor, Visitor.of(this.site).get("/@" + this.visitor.name()));
	}

	private byte[] bytes(String path) {
		try (var in = URI.create(this.site.url(path)).toURL().openStream()) {
			return in.readAllBytes();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void assertColour(String path, Color colour) {
		Color found = new Color(Pictures.read(bytes(path)).getRGB(64, 64));
		assertThat(Math.abs(found.getRed() - colour.getRed()) + Math.abs(found.getGreen() - colour.getGreen())
				+ Math.abs(found.getBlue() - colour.getBlue()))
			.isLessThan(30);
	}

	private void assertNothingChanged(String name) {
		assertThat(shown()).isEmpty();
		assertThat(this.site.redis().exists(Keys.picture(this.visitor.id()))).isZero();
		assertThat(this.site.redis().hget(Keys.user(this.visitor.id()), "name")).isEqualTo(name);
	}

	@Test
	void whoHasAPictureAlreadyOrAsksForAnotherOneDoesNotMakeTheDataNodeSendIt() {
		upload(this.visitor, BLUE);
		String address = shown();
		this.site.redis().del(Keys.picture(this.visitor.id()));
		assertThat(this.visitor.get(address, "If-None-Match", "\"" + address.replaceFirst(".*/", "") + "\"").status())
			.isEqualTo(304);
		assertThat(this.visitor.get(address + "x").status()).isEqualTo(404);
		Answer missing = this.visitor.get(address);
		assertThat(missing.status()).isEqualTo(404);
		assertThat(missing.header("Cache-Control")).isEqualTo("no-store");
		assertThat(missing.header("ETag")).isEmpty();
		upload(this.visitor, BLUE);
		assertThat(this.visitor.get(address).status()).as("the same picture uploaded again").isEqualTo(200);
	}

	@Test
	void anUploadedPictureIsServedForGoodAndShownWhereTheUserIs() {
		assertThat(shown()).isEmpty();
		String post = this.visitor.post("with a picture #portrait");
		Visitor other = Visitor.registered(this.site);
		assertThat(pictureOf(this.visitor, other.get("/posts/" + post))).isEmpty();
		String profile = "/@" + this.visitor.name();
		assertThat(other.get(profile).body()).doesNotContain("og:image");
		other.follow(this.visitor);
		this.visitor.follow(other);
		upload(this.visitor, BLUE);
		String address = shown();
		assertThat(other.get(profile).find("<meta property=\"og:image\" content=\"([^\"]*)\">"))
			.isEqualTo(this.site.url(address));
		assertThat(address).matches("/pictures/" + this.visitor.id() + "/[A-Za-z0-9_-]{16}");
		Answer served = other.get(address);
		assertThat(served.status()).isEqualTo(200);
		assertThat(served.header("Content-Type")).isEqualTo("image/jpeg");
		assertThat(served.header("X-Content-Type-Options")).isEqualTo("nosniff");
		assertThat(served.header("Cache-Control")).contains("max-age=31536000", "public", "immutable");
		assertThat(other.get(address, "If-None-Match", served.header("ETag")).status()).isEqualTo(304);
		assertColour(address, Color.BLUE);
		for (String page : List.of("/posts/" + post, profile + "/followers", "/tags/portrait",
				"/@" + other.name() + "/followers", "/timeline")) {
			Awaitility.await()
				.atMost(SOON)
				.untilAsserted(() -> assertThat(pictureOf(this.visitor, other.get(page))).as(page).isEqualTo(address));
		}
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThat(pictureOf(this.visitor, other.get("/notifications"))).isEqualTo(address));
		assertThat(pictureOf(this.visitor, this.visitor.get("/settings"))).isEqualTo(address);
	}

	@Test
	void anotherPictureHasAnotherAddressAndTheOldOneIsGone() {
		String post = this.visitor.post("again");
		upload(this.visitor, BLUE);
		String blue = shown();
		upload(this.visitor, BLUE);
		assertThat(shown()).isEqualTo(blue);
		upload(this.visitor, RED);
		String red = shown();
		assertThat(red).isNotEqualTo(blue);
		assertColour(red, Color.RED);
		Answer gone = this.visitor.get(blue);
		assertThat(gone.status()).isEqualTo(404);
		assertThat(gone.header("Cache-Control")).isEqualTo("no-store");
		Awaitility.await()
			.atMost(SOON)
			.until(() -> pictureOf(this.visitor, this.visitor.get("/posts/" + post)).equals(red));
		for (String path : List.of("/pictures/nobody/x", "/pictures/0AAAAAAAAAAAA/x",
				"/pictures/" + this.visitor.id() + "/x")) {
			assertThat(this.visitor.get(path).status()).as(path).isEqualTo(404);
		}
	}

	@Test
	void aPictureStaysUntilItIsRemoved() {
		upload(this.visitor, BLUE);
		String address = shown();
		this.visitor.get("/settings");
		assertThat(this.visitor.submit("/settings/profile", "name", "Bea", "bio", "").status()).isEqualTo(303);
		assertThat(shown()).isEqualTo(address);
		upload(this.visitor, RED);
		assertThat(send(this.visitor, BLUE, "remove-picture", "yes").status()).isEqualTo(303);
		assertThat(shown()).as("a file that was chosen counts").isEqualTo(address);
		for (int i = 0; i < 2; i++) {
			this.visitor.get("/settings");
			assertThat(this.visitor.submitParts("/settings/profile", "name", "Bea", "bio", "", "remove-picture", "yes")
				.status()).isEqualTo(303);
			assertThat(shown()).isEmpty();
			assertThat(this.visitor.get(address).status()).isEqualTo(404);
		}
		assertThat(this.site.redis().exists(Keys.picture(this.visitor.id()))).isZero();
		assertThat(this.site.redis().hexists(Keys.user(this.visitor.id()), "picture")).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "a text", "<html><script>alert(1)</script></html>",
			"<svg xmlns='http://www.w3.org/2000/svg'/>", "\u0089PNG\r\n" })
	void aFileThatIsNoPictureChangesNothingAndTheFormKeepsItsTexts(String text) {
		for (Object sent : List.of(text, text.getBytes(StandardCharsets.ISO_8859_1))) {
			this.visitor.get("/settings");
			Answer answer = this.visitor.submitParts("/settings/profile", "name", "Kept <name>", "bio", "kept bio",
					"picture", sent);
			assertThat(answer.status()).isEqualTo(422);
			assertThat(answer.errors()).containsExactly(UNREADABLE);
			assertThat(answer.body()).contains("value=\"Kept &lt;name&gt;\"", "kept bio");
			assertNothingChanged(this.visitor.name());
		}
	}

	@Test
	void aDamagedPictureAndOneWithTooManyPixelsAreRefused() {
		assertThat(send(this.visitor, Arrays.copyOf(BLUE, BLUE.length / 2)).errors()).containsExactly(UNREADABLE);
		Answer huge = send(this.visitor, Pictures.emptyPng(4097, 4096));
		assertThat(huge.status()).isEqualTo(422);
		assertThat(huge.errors())
			.containsExactly("This picture has too many pixels. Choose one with at most 4,096 × 4,096 pixels.");
		assertNothingChanged(this.visitor.name());
	}

	@Test
	void aSecondFileOfAUserWaitsAndTheFormKeepsItsTexts() {
		UploadedPictureConverter reader = this.site.bean(UploadedPictureConverter.class);
		byte[] slow = Pictures.emptyPng(4096, 4096);
		List<CompletableFuture<Picture>> before = Stream.of("a", "b", "c", "d", "e", "f", this.visitor.id())
			.map((user) -> reader.read(user, slow).toFuture())
			.toList();
		Answer second = send(this.visitor, RED);
		assertThat(second.status()).isEqualTo(503);
		assertThat(second.body()).contains("value=\"Ada\"", "counts", "save them again in a few seconds");
		assertNothingChanged(this.visitor.name());
		before.forEach((picture) -> assertThat(picture).succeedsWithin(SOON));
		upload(this.visitor, RED);
	}

	@Test
	void picturesAreCountedApartFromOtherChangesOfTheProfile() {
		try (Site limited = Site.another("--retwis.limits.enabled=true", "--retwis.limits.timeout=20s",
				"--retwis.limits.uploads=2/1h")) {
			Visitor user = Visitor.registered(limited);
			upload(user, BLUE);
			upload(user, RED);
			Answer refused = send(user, BLUE);
			assertThat(refused.status()).isEqualTo(429);
			assertThat(refused.header("Retry-After")).matches("\\d+");
			assertThat(refused.body()).contains("value=\"Ada\"", "counts");
			user.get("/settings");
			assertThat(user.submitParts("/settings/profile", "name", "Bea", "bio", "").status()).isEqualTo(303);
		}
	}

	@Test
	void aFileMayHave256KilobytesAndNotOneByteMore() {
		byte[] most = Arrays.copyOf(BLUE, 256 * 1024);
		assertThat(send(this.visitor, most).status()).isEqualTo(303);
		String address = shown();
		for (int length : new int[] { 256 * 1024 + 1, 5_000_000 }) {
			Answer answer = send(this.visitor, Arrays.copyOf(RED, length));
			assertThat(answer.status()).isEqualTo(413);
			assertThat(answer.errors()).containsExactly("This file has more than 256 kB. Choose a smaller one.");
			assertThat(answer.body()).contains("value=\"Ada\"", "counts");
		}
		assertThat(shown()).isEqualTo(address);
	}

	@Test
	void aFormThatIsFarTooLargeIsRefused() {
		Answer refused = send(this.visitor, new byte[8 * 1024 * 1024]);
		assertThat(refused.status()).isEqualTo(413);
		assertThat(refused.body()).contains("A picture may have at most 256 kB.");
		this.visitor.get("/settings");
		assertThat(
				this.visitor.submitParts("/settings/profile", "name", "x".repeat(100_000), "picture", new byte[200_000])
					.status())
			.isEqualTo(413);
		Object[] many = new Object[60];
		Arrays.fill(many, "x");
		assertThat(this.visitor.submitParts("/settings/profile", many).status()).isEqualTo(400);
		assertThat(this.visitor.isSignedIn()).isTrue();
		assertNothingChanged(this.visitor.name());
	}

	/** Forms that are read stay in memory, and anybody can send them slowly. */
	@Test
	void whileOthersSendAsMuchAsIsReadAtOnceAPictureWaits() throws IOException {
		List<Socket> slow = new ArrayList<>();
		try {
			String head = "POST /settings/profile HTTP/1.1\r\nHost: x\r\nContent-Length: 520000\r\n"
					+ "Content-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\n"
					+ "Content-Disposition: form-data; name=\"picture\"; filename=\"a\"\r\n\r\n";
			Awaitility.await().atMost(SOON).untilAsserted(() -> {
				Socket socket = new Socket("127.0.0.1", this.site.port());
				slow.add(socket);
				socket.getOutputStream().write((head + "x".repeat(500_000)).getBytes(StandardCharsets.US_ASCII));
				Answer busy = send(this.visitor, Arrays.copyOf(RED, 250_000));
				assertThat(busy.status()).isEqualTo(503);
				assertThat(busy.header("Retry-After")).isEqualTo("2");
			});
			assertThat(send(this.visitor, RED).status()).as("a small one").isEqualTo(303);
		}
		finally {
			for (Socket socket : slow) {
				socket.close();
			}
		}
		Awaitility.await().atMost(SOON).until(() -> send(this.visitor, RED).status() == 303);
	}

	@Test
	void aFormWithAFileNeedsTheTokenOfThePageToo() {
		this.visitor.get("/settings");
		assertThat(this.visitor.submitParts("/settings/profile", "_csrf", "made up").status())
			.as("the first token counts")
			.isEqualTo(303);
		Visitor forged = Visitor.registered(this.site);
		String body = "--x\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nforged\r\n%s--x--\r\n";
		for (String token : List.of("", "--x\r\nContent-Disposition: form-data; name=\"_csrf\"\r\n\r\nmade up\r\n",
				"--x\r\nContent-Disposition: form-data; name=\"_csrf\"; filename=\"a\"\r\n\r\nmade up\r\n",
				"--x\r\nContent-Disposition: form-data\r\n\r\nnameless\r\n")) {
			assertThat(forged
				.send("POST", "/settings/profile", BodyPublishers.ofString(String.format(body, token)), "Content-Type",
						"multipart/form-data; boundary=x")
				.status()).as(token).isEqualTo(403);
		}
		assertThat(this.site.redis().hget(Keys.user(forged.id()), "name")).isEqualTo(forged.name());
		Visitor stranger = Visitor.of(this.site);
		stranger.get("/login");
		assertThat(stranger.submitParts("/settings/profile", "picture", BLUE).location())
			.isEqualTo("/login?next=%2Fsettings");
	}

	@Test
	void openPagesShowTheNewPicture() {
		String post = this.visitor.post("look #portrait");
		try (EventStream profile = Visitor.of(this.site).open("/live/@" + this.visitor.name());
				EventStream everyone = Visitor.of(this.site).open("/live/public");
				EventStream tag = Visitor.of(this.site).open("/live/tags/portrait");
				EventStream conversation = Visitor.of(this.site).open("/live/posts/" + post)) {
			List<EventStream> streams = List.of(profile, everyone, tag, conversation);
			streams.forEach((stream) -> stream.await((event) -> event.name().equals("position")));
			upload(this.visitor, BLUE);
			String address = shown();
			streams.forEach((stream) -> stream.await((event) -> isPicture(event.data(), Optional.of(address))));
			this.visitor.get("/settings");
			this.visitor.submit("/settings/profile", "name", "", "bio", "", "remove-picture", "yes");
			streams.forEach((stream) -> stream.await((event) -> isPicture(event.data(), Optional.empty())));
		}
	}

	private boolean isPicture(String data, Optional<String> address) {
		if (!data.contains("\"user\":\"" + this.visitor.id() + "\"")) {
			return false;
		}
		JsonNode picture = JsonMapper.shared().readTree(data).get("picture");
		return address.map((expected) -> expected.equals(picture.asString(""))).orElse(picture.isNull());
	}

	@Test
	void otherInstancesShowTheNewPicture(@OwnRedis TestRedis redis) {
		try (Site one = Site.start(redis); Site two = Site.start(redis)) {
			Visitor ada = Visitor.registered(one);
			String post = ada.post("on both");
			Visitor elsewhere = Visitor.of(two);
			assertThat(pictureOf(ada, elsewhere.get("/posts/" + post))).isEmpty();
			upload(ada, BLUE);
			String address = pictureOf(ada, ada.get("/settings"));
			assertThat(elsewhere.get(address).status()).isEqualTo(200);
			for (String page : List.of("/posts/" + post, "/@" + ada.name(), "/timeline")) {
				Awaitility.await().atMost(SOON).until(() -> pictureOf(ada, elsewhere.get(page)).equals(address));
			}
		}
	}

	@Test
	void anInstanceThatDiesBeforeItLogsAPictureLeavesThatToAnother() {
		Picture picture = Picture.of(Pictures.plain("jpeg", 8, 8, Color.GREEN));
		try (EventStream stream = Visitor.of(this.site).open("/live/@" + this.visitor.name())) {
			stream.await((event) -> event.name().equals("position"));
			this.site.redis().hset(Keys.user(this.visitor.id()), "picture", picture.hash());
			this.site.redis().set(Keys.picture(this.visitor.id()), picture.base64());
			this.site.redis().zadd(Keys.INTENTS, 1, Intent.of(Intent.Kind.PROFILE, this.visitor.id(), "-").text());
			stream.await((event) -> event.name().equals("profile") && event.data().contains(picture.hash()));
		}
		assertThat(shown()).endsWith(picture.hash());
	}

	@Test
	void theFileWithAUsersDataHasThePicture() {
		assertThat(this.visitor.get("/settings/export").json().get("profile").get("picture").isNull()).isTrue();
		upload(this.visitor, BLUE);
		String stored = this.site.redis().get(Keys.picture(this.visitor.id()));
		assertThat(this.visitor.get("/settings/export").json().get("profile").get("picture").asString())
			.isEqualTo("data:image/jpeg;base64," + stored);
	}

	@Test
	void aSuspendedUsersPictureIsNotServed() {
		upload(this.visitor, BLUE);
		String address = shown();
		Moderation moderation = this.site.bean(Moderation.class);
		Visitor other = Visitor.of(this.site);
		moderation.suspend("operator", this.visitor.name()).block(SOON);
		Awaitility.await().atMost(SOON).until(() -> other.get(address).status() == 404);
		moderation.restore("operator", this.visitor.name()).block(SOON);
		Awaitility.await().atMost(SOON).until(() -> other.get(address).status() == 200);
	}

	@Test
	@Tag("slow")
	void nothingIsLeftOfThePictureOfADeletedAccount() {
		upload(this.visitor, BLUE);
		String address = shown();
		String id = this.visitor.id();
		assertThat(Traces.lasting(this.site, id)).contains(Keys.picture(id));
		this.visitor.get("/settings");
		this.visitor.submit("/settings/delete", "password", Visitor.PASSWORD);
		assertThat(this.site.redis().hexists(Keys.user(id), "picture")).isFalse();
		assertThat(Visitor.of(this.site).get(address).status()).isEqualTo(404);
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThat(this.site.redis().exists(Keys.picture(id))).isZero());
	}

	@Test
	void theDoctorFindsNothingWrong(@OwnRedis TestRedis redis) {
		try (Site own = Site.start(redis)) {
			Visitor ada = Visitor.registered(own);
			upload(ada, BLUE);
			upload(ada, RED);
			Visitor bob = Visitor.registered(own);
			upload(bob, BLUE);
			bob.get("/settings");
			bob.submit("/settings/profile", "name", "", "bio", "", "remove-picture", "yes");
			assertThat(own.bean(Doctor.class).examine(false, true, (progress) -> {
			}).map(Doctor.Line::text).collectList().block(SOON)).singleElement()
				.asString()
				.contains("every rule holds.");
		}
	}

}
