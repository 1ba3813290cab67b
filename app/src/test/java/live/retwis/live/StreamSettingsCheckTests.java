package live.retwis.live;

import live.retwis.startup.StartupException;
import live.retwis.testing.Site;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Settings of the web server that would break streams.
 */
class StreamSettingsCheckTests {

	@Test
	void anIdleTimeoutThatIsTooShortForStreamsStopsTheStart() {
		assertThat(problem("--server.netty.idle-timeout=4s"))
			.isEqualTo("server.netty.idle-timeout is 4000 ms, and would cut each stream after that time.");
	}

	@Test
	void compressionOfStreamsStopsTheStart() {
		assertThat(problem("--server.compression.enabled=true",
				"--server.compression.mime-types=text/html,text/event-stream"))
			.isEqualTo("server.compression.mime-types has text/event-stream, but streams are not compressed.");
	}

	@Test
	void aReplayWithoutATimeUnitStopsTheStart() {
		assertThat(problem("--retwis.live.replay=10000"))
			.isEqualTo("retwis.live.replay is 10000, a number; it is a time.");
	}

	@Test
	void compressionOfPagesIsAllowed() {
		try (Site site = Site.another("--server.compression.enabled=true")) {
			assertThat(site.port()).isPositive();
		}
	}

	private static String problem(String... settings) {
		Throwable cause = catchThrowable(() -> Site.another(settings).close());
		while (cause != null && !(cause instanceof StartupException)) {
			cause = cause.getCause();
		}
		assertThat(cause).as("the start fails with an explanation").isInstanceOf(StartupException.class);
		return String.valueOf(((StartupException) cause).getMessage());
	}

}
