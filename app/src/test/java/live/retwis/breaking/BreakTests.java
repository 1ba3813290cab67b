package live.retwis.breaking;

import java.util.List;

import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What is there of it on a site that no command {@code cluster} has started. */
class BreakTests {

	@Test
	void aSiteThatNobodyMayBreakHasNoneOfIt() {
		Visitor visitor = Visitor.registered(Site.shared());
		for (String path : List.of("/break", "/break/ledger", "/break/reports/1")) {
			assertThat(visitor.get(path).status()).as(path).isEqualTo(404);
		}
		for (String path : List.of("/break", "/break/heal", "/break/reports")) {
			assertThat(visitor.submit(path).status()).as(path).isEqualTo(404);
		}
		assertThat(visitor.get("/timeline").body()).doesNotContain("/break").doesNotContain("breaking.js");
	}

	@Test
	void whileTheProgramDoesNotAnswerThePageSaysSoAndTheOthersHaveItsScript() {
		try (Site site = Site.another("--retwis.cluster.control=http://127.0.0.1:9")) {
			Visitor visitor = Visitor.registered(site);
			Answer page = visitor.get("/break");
			assertThat(page.status()).isEqualTo(503);
			assertThat(page.body()).contains("The program that runs this site does not answer.");
			assertThat(visitor.get("/timeline").body()).contains("href=\"/break\"", "breaking.js");
		}
	}

}
