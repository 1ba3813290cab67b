package live.retwis.locks.nodes.testing;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Has every wait of the tests look at once and then often. Most of what they wait for is
 * there within milliseconds, and they wait some thousand times.
 */
public final class PromptWaits implements LauncherSessionListener {

	private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

	@Override
	public void launcherSessionOpened(LauncherSession session) {
		Awaitility.setDefaultPollDelay(Duration.ZERO);
		Awaitility.setDefaultPollInterval(POLL_INTERVAL);
	}

}
