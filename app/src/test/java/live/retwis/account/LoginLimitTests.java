package live.retwis.account;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.Simultaneous;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What guessing passwords and flooding the log-in are answered with. */
class LoginLimitTests {

	private static final String WRONG = "wrong password";

	private final Site site = Site.limited();

	private final Visitor owner = Visitor.limited();

	private Answer logIn(Visitor visitor, String username, String password) {
		visitor.get("/login");
		return visitor.signIn(username, password);
	}

	private Answer logInFromAnywhere(String username, String password) {
		return logIn(Visitor.from(Visitor.freshAddress(), this.site), username, password);
	}

	private void guess(String username) {
		for (int i = 0; i < 5; i++) {
			assertThat(logInFromAnywhere(username, WRONG).status()).isEqualTo(401);
		}
	}

	@Test
	void ofManyWrongPasswordsAtTheSameMomentOnlyFiveAreChecked() {
		List<Integer> statuses = Simultaneous.times(40, (i) -> logInFromAnywhere(this.owner.name(), WRONG).status());
		assertThat(statuses).containsOnly(401, 429);
		assertThat(statuses.stream().filter((status) -> status == 401)).hasSize(5);
	}

	@Test
	void guessingIsRefusedWhereverItComesFromAndTheFormStays() {
		guess(this.owner.name());
		Answer refused = logInFromAnywhere(this.owner.name().toUpperCase(), Visitor.PASSWORD);
		assertThat(refused.status()).isEqualTo(429);
		assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 720);
		assertThat(refused.errors()).singleElement().asString().contains("You can go on in");
		assertThat(refused.body()).doesNotContain(Visitor.PASSWORD)
			.contains("value=\"" + this.owner.name().toUpperCase() + "\"");
		assertThat(refused.cookies()).noneMatch((cookie) -> cookie.startsWith("auth="));
	}

	@Test
	void anUnknownNameIsRefusedInTheSameWords() {
		String nobody = Visitor.freshName();
		guess(nobody);
		guess(this.owner.name());
		List<String> errors = logInFromAnywhere(nobody, WRONG).errors();
		assertThat(errors.get(0).replaceAll("\\d+", "N"))
			.isEqualTo(logInFromAnywhere(this.owner.name(), WRONG).errors().get(0).replaceAll("\\d+", "N"));
	}

	@Test
	void whoTypesWhatIsNoUsernameIsNotCountedTogetherWithOthersWhoDo() {
		for (int i = 0; i < 6; i++) {
			assertThat(logInFromAnywhere("ada@example.com", WRONG).status()).isEqualTo(401);
		}
	}

	@Test
	void spacesAroundTheUsernameDoNotCount() {
		assertThat(logInFromAnywhere(" " + this.owner.name() + "\t", Visitor.PASSWORD).status()).isEqualTo(303);
	}

	@Test
	void strangersWhoGuessDoNotKeepTheOwnerOut() {
		this.owner.get("/home");
		this.owner.submit("/logout");
		guess(this.owner.name());
		assertThat(logInFromAnywhere(this.owner.name(), Visitor.PASSWORD).status()).isEqualTo(429);
		assertThat(logIn(this.owner, this.owner.name(), Visitor.PASSWORD).status()).isEqualTo(303);
		for (int i = 0; i < 5; i++) {
			assertThat(logIn(this.owner, this.owner.name(), WRONG).status()).as("the browser is limited, too")
				.isEqualTo(401);
		}
		assertThat(logIn(this.owner, this.owner.name(), WRONG).status()).isEqualTo(429);
	}

	@Test
	void oneAddressThatGuessesDoesNotKeepTheOwnerOutOfANewBrowser() {
		Visitor stranger = Visitor.from(Visitor.freshAddress(), this.site);
		for (int i = 0; i < 3; i++) {
			assertThat(logIn(stranger, this.owner.name(), WRONG).status()).isEqualTo(401);
		}
		for (int i = 0; i < 3; i++) {
			Answer refused = logIn(stranger, this.owner.name().toUpperCase(), WRONG);
			assertThat(refused.status()).isEqualTo(429);
			assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 1200);
		}
		assertThat(logIn(stranger, Visitor.freshName(), WRONG).status()).as("another name").isEqualTo(401);
		assertThat(logInFromAnywhere(this.owner.name(), Visitor.PASSWORD).status()).isEqualTo(303);
	}

	@Test
	void theCookieOfABrowserIsOfNoUseForAnotherUser() {
		Visitor attacker = Visitor.limited();
		guess(this.owner.name());
		assertThat(logIn(attacker, this.owner.name(), Visitor.PASSWORD).status()).isEqualTo(429);
	}

	@Test
	void logInsOfAnAddressAreCountedAlsoWhenTheyAreRight() {
		List<Visitor> owners = IntStream.range(0, 16).mapToObj((i) -> Visitor.limited()).toList();
		String flood = Visitor.freshAddress();
		List<Visitor> hostile = IntStream.range(0, 40).mapToObj((i) -> Visitor.from(flood, this.site)).toList();
		hostile.forEach((visitor) -> visitor.get("/login"));
		AtomicInteger sent = new AtomicInteger();
		CompletableFuture<Void> flooded = new CompletableFuture<>();
		List<Integer> statuses = Simultaneous.times(owners.size() + hostile.size(), (i) -> {
			if (i < owners.size()) {
				Visitor honest = Visitor.from(Visitor.freshAddress(), this.site);
				honest.get("/login");
				flooded.orTimeout(30, TimeUnit.SECONDS).join();
				return honest.signIn(owners.get(i).name(), Visitor.PASSWORD).status();
			}
			if (sent.incrementAndGet() == hostile.size()) {
				flooded.complete(null);
			}
			return hostile.get(i - owners.size()).signIn(this.owner.name(), Visitor.PASSWORD).status();
		});
		assertThat(statuses.subList(0, owners.size())).containsOnly(303);
		assertThat(statuses.subList(owners.size(), statuses.size())).contains(429);
	}

	@Test
	void aUserHasSoManyKnownBrowsers() {
		IntStream.range(0, KnownDevices.MOST + 2)
			.forEach((i) -> assertThat(logInFromAnywhere(this.owner.name(), Visitor.PASSWORD).status()).isEqualTo(303));
		assertThat(this.site.redis().hlen(Keys.devicesOf(this.owner.id()))).isEqualTo(KnownDevices.MOST);
	}

}
