package live.retwis.web;

import java.util.List;

import live.retwis.testing.Simultaneous;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests that follow each other closely on one connection. A request that the server
 * does not read would end in the visitor's time-out.
 */
class KeepAliveTests {

	private static final List<String> PAGES = List.of("/login", "/live/home", "/timeline", "/nowhere", "/");

	@Test
	void noRequestHangsOnAConnectionThatIsUsedAgain() {
		Site site = Site.shared();
		for (int visitor = 0; visitor < 100; visitor++) {
			Visitor reader = Visitor.of(site);
			assertThat(PAGES).extracting((page) -> reader.get(page).status()).containsExactly(200, 401, 200, 404, 200);
		}
	}

	@Test
	void noRequestHangsWhenManyVisitorsComeAtOnce() {
		Site site = Site.shared();
		List<Visitor> readers = Simultaneous.times(8, (i) -> Visitor.of(site));
		for (int round = 0; round < 20; round++) {
			assertThat(Simultaneous.times(8,
					(i) -> PAGES.stream().map((page) -> readers.get(i).get(page).status()).toList()))
				.allMatch(List.of(200, 401, 200, 404, 200)::equals);
		}
	}

}
