package live.retwis.ops;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestPorts;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.LockServers;
import live.retwis.testing.Nginx;
import live.retwis.testing.SharedData;
import live.retwis.testing.SiteProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Two instances under load behind nginx, with the configuration of {@code src/ops/nginx}.
 */
@Timeout(180)
@ExtendWith(RedisExtension.class)
@SuppressWarnings("NullAway.Init")
class RollingRestartChaos {

	private static final Duration DRAIN = Duration.ofSeconds(30);

	private static final List<SiteProcess> instances = new ArrayList<>();

	private static TestRedis store;

	private static Nginx nginx;

	@BeforeAll
	static void start(@OwnRedis TestRedis redis) {
		Nginx.assumeInstalled();
		store = redis;
		for (int i = 0; i < 2; i++) {
			instances.add(launch(TestPorts.next()));
		}
		instances.forEach(SiteProcess::ready);
		nginx = Nginx.shipped(address(0), address(1));
	}

	private static String address(int number) {
		return instances.get(number).origin().substring("http://".length());
	}

	private static SiteProcess launch(int port) {
		return SiteProcess.launchAt(port, SharedData.settings("127.0.0.1", store.port()),
				LockServers.shared().setting(), "--retwis.proxies=127.0.0.1", "--retwis.live.drain=1s");
	}

	private static void startAnew(int number) {
		SiteProcess ended = instances.get(number);
		ended.close();
		instances.set(number, launch(ended.port()).ready());
	}

	@AfterAll
	static void stop() {
		if (nginx != null) {
			nginx.close();
		}
		instances.forEach(SiteProcess::close);
	}

	@Test
	void noRequestFailsWhileTheInstancesAreRestartedOneAfterTheOther() {
		try (PageVisits visits = PageVisits.to(nginx.url(""))) {
			for (int number = 0; number < instances.size(); number++) {
				visits.await(20);
				instances.get(number).terminate(DRAIN);
				visits.await(20);
				startAnew(number);
			}
			visits.await(20);
			visits.assertWhole();
		}
	}

	@Test
	void noPageAndNoPostFailsWhenAnInstanceIsKilled() {
		try (PageVisits visits = PageVisits.to(nginx.url(""))) {
			visits.await(20);
			instances.get(0).kill();
			visits.await(20);
			startAnew(0);
			visits.await(20);
			visits.assertWhole();
		}
	}

}
