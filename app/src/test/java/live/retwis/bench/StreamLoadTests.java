package live.retwis.bench;

import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import live.retwis.bench.StreamLoad.Figures;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StreamLoadTests {

	@Test
	void aRedirectToTheLogInIsNoPage() {
		assertThat(StreamLoad.isRefused(answer(303, "/login?next=/home"))).isTrue();
		assertThat(StreamLoad.isRefused(answer(403, ""))).isTrue();
		assertThat(StreamLoad.isRefused(answer(303, "/home"))).as("of a form").isFalse();
		assertThat(StreamLoad.isRefused(answer(200, ""))).isFalse();
		assertThat(StreamLoad.isRefused(answer(503, ""))).as("too busy").isFalse();
	}

	@Test
	void figuresAreReadAsTheyWereWritten() {
		Figures figures = new Figures(1, 2, 3, 4.5, 5.5, 6.5, 7, 8, 9.5, 10);
		assertThat(Figures.parse(figures.line())).isEqualTo(figures);
	}

	private static HttpResponse answer(int status, String location) {
		HttpResponse answer = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status));
		answer.headers().set(HttpHeaderNames.LOCATION, location);
		return answer;
	}

}
