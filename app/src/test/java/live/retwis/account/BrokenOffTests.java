package live.retwis.account;

import live.retwis.account.BrokenWrite.Scene;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.locks.nodes.RedisProcessOptions;
import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.testing.TestPorts;
import live.retwis.testing.Site;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The client of a write of several steps goes away in the middle of it.
 * {@link BrokenOffChaos} also kills the instance.
 */
@Timeout(90)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BrokenOffTests {

	/** More commands than any of the writes sends. Workers send commands too. */
	private static final int MOST = 12;

	private final RedisProcess redis = RedisProcess.start(RedisProcessOptions.DEFAULT.withPort(TestPorts.next()));

	private final FaultProxy way = FaultProxy.to("127.0.0.1", this.redis.port());

	private final Site site = Site.startAt("127.0.0.1", this.way.port(), "--retwis.fan-out.worker=false");

	private final Site survivor = Site.startAt("127.0.0.1", this.redis.port());

	@AfterAll
	void close() {
		this.site.close();
		this.survivor.close();
		this.way.close();
		this.redis.close();
	}

	@ParameterizedTest
	@Tag("slow")
	@Tag("long")
	@EnumSource
	void aWriteIsFinishedAndLoggedAfterItsClientHasGone(BrokenWrite write) {
		int commands = 0;
		for (int number = 1; number <= MOST; number++) {
			try (Scene scene = Scene.of(this.survivor, this.way, this.site.url(""), write, false)) {
				if (!write.breakOff(scene, number, true, (waits) -> waits.cancel(true))) {
					break;
				}
				commands++;
			}
		}
		assertThat(commands).isGreaterThanOrEqualTo(write.commands());
	}

}
