package live.retwis.testing;

import live.retwis.locks.nodes.RedisOptions;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.testing.TestPorts;

/**
 * Releases of Redis that the site runs on.
 */
public enum RedisRelease {

	/** 6.2, which the jar carries. */
	OLDEST {

		@Override
		RedisOptions options() {
			return RedisOptions.DEFAULT.withBundledServer();
		}

	},

	/** Whatever this machine has. */
	OF_THIS_MACHINE {

		@Override
		RedisOptions options() {
			return RedisOptions.DEFAULT;
		}

	};

	abstract RedisOptions options();

	/** A server of that release, to be closed. */
	public RedisProcess start() {
		return RedisProcess.start(options().withPort(TestPorts.next()));
	}

}
