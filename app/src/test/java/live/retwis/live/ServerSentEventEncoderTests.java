package live.retwis.live;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

import live.retwis.log.LogPosition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The bytes of an event.
 */
class ServerSentEventEncoderTests {

	private static final LogPosition POSITION = new LogPosition(1700000000000L, 3, "n_-1");

	@Test
	void anEventHasItsPositionAsId() {
		assertThat(text(ServerSentEventEncoder.event(POSITION, "delete", "0abc")))
			.isEqualTo("id: 1700000000000-3.n_-1\nevent: delete\ndata: 0abc\n\n");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\nb", "a\rb", "a\r\nb" })
	void everyLineEndOfEventStreamsStartsANewDataLine(String data) {
		assertThat(text(ServerSentEventEncoder.event(POSITION, "post", data))).endsWith("\ndata: a\ndata: b\n\n");
	}

	@Test
	void emptyLinesAreKeptAtTheStartInBetweenAndAtTheEnd() {
		assertThat(text(ServerSentEventEncoder.event(POSITION, "post", "\n\na\n\nb\n")))
			.endsWith("event: post\ndata: \ndata: \ndata: a\ndata: \ndata: b\ndata: \n\n");
	}

	@Test
	void aLineOfDataThatLooksLikeAFieldStaysData() {
		assertThat(
				text(ServerSentEventEncoder.event(POSITION, "post", "x\nevent: reset\r\rid: 1\ndata: y\nretry: 1\n: z"))
					.lines())
			.filteredOn((line) -> !line.isEmpty() && !line.startsWith("data: "))
			.containsExactly("id: " + POSITION, "event: post");
	}

	@Test
	void lineEndsThatEventStreamsDoNotKnowAreUnchanged() {
		String data = "a\u2028b\u2029c\u0085d\u000be\u000cf";
		assertThat(text(ServerSentEventEncoder.event(POSITION, "post", data))).endsWith("\ndata: " + data + "\n\n");
	}

	@Test
	void textIsUtf8() {
		assertThat(text(ServerSentEventEncoder.event(POSITION, "post", "漢字 👍🏽 e\u0301")))
			.contains("data: 漢字 👍🏽 e\u0301\n");
	}

	@Test
	void theFirstFrameAlsoHasTheRetryDelay() {
		assertThat(text(ServerSentEventEncoder.opening(POSITION, "position", "-", null)))
			.matches("retry: \\d{3,4}\nid: " + POSITION + "\nevent: position\ndata: -\n\n");
	}

	@Test
	void aFrameWithOnlyARetryDelayIsNoEvent() {
		assertThat(text(ServerSentEventEncoder.retry(Duration.ofMillis(512)))).isEqualTo("retry: 512\n\n");
	}

	private static String text(byte[] frame) {
		return new String(frame, StandardCharsets.UTF_8);
	}

}
