package live.retwis.breaking;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** What a page sends of its own stream. */
class PageStreamReportTests {

	private static boolean isSound(String gaps, String posts) {
		String json = "{\"stream\":\"/live/public\",\"now\":2,\"from\":1,\"expected\":1,\"shown\":1,\"lost\":0,"
				+ "\"twice\":0,\"gone\":0,\"gaps\":[" + gaps + "],\"posts\":[" + posts + "]}";
		return JsonMapper.shared().readValue(json, PageStreamReport.class).isSound();
	}

	@Test
	void aLedgerWithNothingInPlaceOfAGapOrAPostIsRefused() {
		String gap = "{\"from\":1,\"to\":2,\"before\":null,\"after\":null}";
		String post = "{\"made\":1,\"at\":2,\"late\":false}";
		assertThat(isSound(gap, post)).isTrue();
		assertThat(isSound("null", post)).isFalse();
		assertThat(isSound(gap, "null")).isFalse();
	}

}
