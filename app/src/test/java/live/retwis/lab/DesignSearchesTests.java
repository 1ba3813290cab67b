package live.retwis.lab;

import live.retwis.locks.lab.design.RedlockDesign;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DesignSearchesTests {

	private static final RedlockDesign SOUND = RedlockDesign.retwis(5);

	private static final RedlockDesign OTHER = RedlockDesign.retwis(3);

	@Test
	void aUserHasOneSearchThatIsNotDoneAndOthersMayStillBegin() {
		DesignSearches searches = new DesignSearches();
		try {
			assertThat(searches.begin("alice", SOUND)).isTrue();
			assertThat(searches.begin("alice", OTHER)).as("the first one is not done").isFalse();
			assertThat(searches.find(OTHER)).isEmpty();
			assertThat(searches.begin("bob", OTHER)).isTrue();
			assertThat(searches.begin("alice", OTHER)).as("the search of another user is shared").isTrue();
		}
		finally {
			searches.close();
		}
	}

}
