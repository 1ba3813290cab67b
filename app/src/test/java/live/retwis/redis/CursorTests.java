package live.retwis.redis;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class CursorTests {

	private static final String LIST = "timeline:0HNXB4RNZQ9ZV";

	@Test
	void aWrittenCursorIsReadBack() {
		for (long score : new long[] { 0, 1, 1_795_223_658_318L, (1L << 53) - 1 }) {
			Cursor cursor = new Cursor(score, "0HNXB4RNZQ9ZV");
			assertThat(Cursor.parse(cursor.text(LIST), LIST)).contains(cursor);
			assertThat(cursor.text(LIST)).matches("[0-9a-zA-Z.]+");
		}
	}

	@Test
	void aCursorMayPointAtWhatSomebodyDid() {
		for (String member : new String[] { "follow:0HNXB4RNZQ9ZV", "like:0HNXB4RNZQ9ZV:0HNXB4RNZQ9ZW" }) {
			Cursor cursor = new Cursor(5, member);
			assertThat(Cursor.parse(cursor.text(LIST), LIST)).contains(cursor);
		}
	}

	@Test
	void aCursorOfAnotherListIsNotAccepted() {
		String text = new Cursor(5, "0HNXB4RNZQ9ZV").text(LIST);
		assertThat(Cursor.parse(text, "timeline:0HNXB4RNZQ9ZW")).isEmpty();
		assertThat(Cursor.parse(text, "posts:0HNXB4RNZQ9ZV")).isEmpty();
	}

	@Test
	void cursorsOfReleasesWithoutBucketsAreStillRead() {
		Cursor cursor = new Cursor(5, "0HNXB4RNZQ9ZV");
		assertThat(Cursor.parse(cursor.text("timeline:0HNXB4RNZQ9ZV"), Keys.homeTimeline("0HNXB4RNZQ9ZV")))
			.contains(cursor);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ".", "..", "a.b.c", "%s.1.", "%s.1.0hnxb4rnzq9zv", "%s.-1.0HNXB4RNZQ9ZV",
			"%s..0HNXB4RNZQ9ZV", "%s.1.0HNXB4RNZQ9ZVX", "%s.1.0HNXB4RNZQ9ZV ", "%s.1.0HNXB4RNZQ9ZV\n",
			"%s.zzzzzzzzzzzz.0HNXB4RNZQ9ZV", "%s.1", "0.1.0HNXB4RNZQ9ZV", "%s 1 0HNXB4RNZQ9ZV" })
	void anyOtherTextIsNotACursor(String garbage) {
		String mark = new Cursor(1, "0HNXB4RNZQ9ZV").text(LIST).split("\\.")[0];
		assertThat(Cursor.parse(String.format(garbage, mark), LIST)).isEmpty();
	}

	@Test
	void theHighestPossibleScoreIsReadBack() {
		String mark = new Cursor(1, "0HNXB4RNZQ9ZV").text(LIST).split("\\.")[0];
		assertThat(Cursor.parse(mark + ".zzzzzzzzzzz.0HNXB4RNZQ9ZV", LIST)).isPresent();
	}

}
