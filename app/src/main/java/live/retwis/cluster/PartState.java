package live.retwis.cluster;

import java.util.Locale;

/** How a part of a cluster is. */
public enum PartState {

	/** It works. */
	UP,
	/** It runs, and does not serve yet, or does not serve at the moment. */
	NOT_READY,
	/** It stands still (SIGSTOP). */
	PAUSED,
	/** Its process has ended. */
	DOWN;

	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT).replace('_', ' ');
	}

}
