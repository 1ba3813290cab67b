package live.retwis.live;

import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LiveWriterTests {

	@ParameterizedTest
	@EnumSource
	@Tag("slow")
	void postsArriveWhateverWritesThem(LiveProperties.Writer writer) {
		try (Site site = Site.another("--retwis.live.writer=" + writer)) {
			Visitor alice = Visitor.registered(site);
			try (EventStream home = alice.open("/live/home"); EventStream everyone = alice.open("/live/public")) {
				home.awaitPost(alice.post("one"));
				String last = alice.post("two");
				home.awaitPost(last);
				everyone.awaitPost(last);
			}
		}
	}

}
