package live.retwis.testing;

import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.testing.TestPorts;

/** Releases of Redis that the tests run on. */
public enum RedisRelease {

	/** Redis 6.2, which is bundled in the jar. */
	OLDEST {

		@Override
		RedisProcessOptions options() {
			return RedisProcessOptions.DEFAULT.withBundledServer();
		}

	},

	/** The release that is installed on this machine. */
	OF_THIS_MACHINE {

		@Override
		RedisProcessOptions options() {
			return RedisProcessOptions.DEFAULT;
		}

	};

	abstract RedisProcessOptions options();

	/** Starts a server of this release. The caller must close it. */
	public RedisProcess start() {
		return RedisProcess.start(options().withPort(TestPorts.next()));
	}

}
