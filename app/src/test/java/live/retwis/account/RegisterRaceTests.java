package live.retwis.account;

import java.util.List;
import java.util.Locale;

import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Together;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RegisterRaceTests {

	private static final int VISITORS = 24;

	@Test
	void ofManyWhoWantOneNameInThreeSpellingsExactlyOneGetsIt() {
		Site site = Site.shared();
		String name = "race_" + Visitor.freshName();
		List<String> spellings = List.of(name, name.toUpperCase(Locale.ROOT), "Race" + name.substring(4));
		List<Visitor> visitors = Together.times(VISITORS, (i) -> {
			Visitor visitor = Visitor.of(site);
			visitor.get("/register");
			return visitor;
		});
		List<Answer> answers = Together.times(VISITORS,
				(i) -> visitors.get(i)
					.submit("/register", "username", spellings.get(i % 3), "password", Visitor.PASSWORD, "password2",
							Visitor.PASSWORD));
		assertThat(answers).extracting(Answer::status).filteredOn((status) -> status == 303).hasSize(1);
		assertThat(answers).extracting(Answer::status).filteredOn((status) -> status == 409).hasSize(VISITORS - 1);

		int winner = answers.stream().map(Answer::status).toList().indexOf(303);
		String userId = visitors.get(winner).id();
		assertThat(visitors.get(winner).isSignedIn()).isTrue();
		assertThat(site.redis().get("username:" + name)).isEqualTo(userId);
		assertThat(site.redis().hgetall("user:" + userId)).containsEntry("username", spellings.get(winner % 3))
			.containsKeys("name", "password", "auth", "created", "state");
		assertThat(
				site.keys("user:*").stream().filter((key) -> name.equalsIgnoreCase(site.redis().hget(key, "username"))))
			.containsExactly("user:" + userId);
		assertThat(site.redis().zscore("users:recent", userId)).isNotNull();
	}

}
