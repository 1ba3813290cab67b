package live.retwis.account;

import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WelcomeTests {

	private final Site site = Site.shared();

	@Test
	void aSignedOutVisitorSeesTheWelcomePageWithBothForms() {
		Answer welcome = Visitor.of(this.site).get("/");
		assertThat(welcome.status()).isEqualTo(200);
		assertThat(welcome.header("Content-Type")).isEqualToIgnoringCase("text/html;charset=UTF-8");
		assertThat(welcome.body()).contains("action=\"/register\"", "action=\"/login\"", "name=\"password2\"");
		assertThat(welcome.errors()).isEmpty();
	}

	@Test
	void bothFormsOfTheWelcomePageWork() {
		String name = Visitor.freshName();
		Visitor visitor = Visitor.of(this.site);
		visitor.get("/");
		Answer registered = visitor.submit("/register", "username", name, "password", Visitor.PASSWORD, "password2",
				Visitor.PASSWORD);
		assertThat(registered.status()).isEqualTo(303);
		Visitor again = Visitor.of(this.site);
		again.get("/");
		assertThat(again.submit("/login", "username", name, "password", Visitor.PASSWORD).location())
			.isEqualTo("/home");
		assertThat(again.isSignedIn()).isTrue();
	}

	@Test
	void aSignedInVisitorIsRedirectedToTheHomePage() {
		Visitor visitor = Visitor.registered(this.site);
		for (String path : new String[] { "/", "/login", "/register" }) {
			Answer answer = visitor.get(path);
			assertThat(answer.status()).as(path).isEqualTo(303);
			assertThat(answer.location()).as(path).isEqualTo("/home");
		}
	}

	@Test
	void theFormsOfBothPagesKeepTheAddressToReturnTo() {
		Visitor visitor = Visitor.of(this.site);
		for (String path : new String[] { "/login", "/register" }) {
			assertThat(visitor.get(path + "?next=%2Ftimeline").body()).contains("name=\"next\" value=\"/timeline\"");
		}
	}

}
