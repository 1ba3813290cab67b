package live.retwis.web;

import live.retwis.testing.Site;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The site answers two thousand hostile requests, and honest ones in between. */
class HostileHttpTests {

	private static final int REQUESTS = 2_000;

	@Test
	@Timeout(120)
	void noRequestIsAnErrorOfTheSite() throws Exception {
		new HostileHttp(Site.shared()).play(0, REQUESTS);
	}

}
