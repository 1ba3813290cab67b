package live.retwis.locks.nodes.testing;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Makes every wait of the tests check at once and then often. Most results are there
 * within milliseconds, and there are thousands of waits.
 */
public final class PromptWaits implements LauncherSessionListener {

	private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

	@Override
	public void launcherSessionOpened(LauncherSession session) {
		Awaitility.setDefaultPollDelay(Duration.ZERO);
		Awaitility.setDefaultPollInterval(POLL_INTERVAL);
	}

}
