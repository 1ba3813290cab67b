package live.retwis.browser;

import live.retwis.testing.Visitor;

/**
 * A user in front of a tab, who uses the forms of the pages.
 *
 * @param tab the user's tab
 * @param name the registered name
 */
record SiteUser(Tab tab, String name) {

	/** The selector for the article of a post. */
	static String article(String postId) {
		return "#post-" + postId;
	}

	/** Registers through the form on the start page. */
	static SiteUser register(Tab tab, String start) {
		SiteUser user = new SiteUser(tab, Visitor.freshName());
		tab.open(start);
		tab.fill("#register-username", user.name);
		tab.fill("#register-password", Visitor.PASSWORD);
		tab.fill("#register-password2", Visitor.PASSWORD);
		tab.clickAndLoad("form[action='/register'] button");
		tab.await().url("/home");
		return user;
	}

	/** Signs in through the form on the start page. */
	static SiteUser login(Tab tab, String start, String name) {
		tab.open(start);
		tab.fill("#login-username", name);
		tab.fill("#login-password", Visitor.PASSWORD);
		tab.clickAndLoad("form[action='/login'] button");
		tab.await().url("/home");
		return new SiteUser(tab, name);
	}

	/** Posts from the open page, which stays when it is live, and waits for the post. */
	void post(String text) {
		this.tab.fill("#compose-body", text);
		this.tab.click("form.compose button.primary");
		this.tab.await().text("article.post .post-body", text);
	}

	/** Waits until the page's stream is open. */
	void awaitLive() {
		this.tab.await().count("[data-live-state='open']", 1);
	}

}
