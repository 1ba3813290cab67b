package live.retwis.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.SharedData;
import live.retwis.testing.Site;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A site whose doctor waits only a short time, with its own lock nodes.
 */
final class ExaminedSite implements AutoCloseable {

	private final Site site;

	private ExaminedSite(Site site) {
		this.site = site;
	}

	static ExaminedSite start(TestRedis redis, String... settings) {
		return startAt(redis.host(), redis.port(), settings);
	}

	static ExaminedSite startAt(String host, int port, String... settings) {
		return startOn(SharedData.settings(host, port), settings);
	}

	/**
	 * Starts a site on the given data.
	 * @param data settings that name the data nodes
	 */
	static ExaminedSite startOn(List<String> data, String... settings) {
		List<String> all = new ArrayList<>(List.of(settings));
		if (Stream.of(settings).noneMatch((setting) -> setting.startsWith("--retwis.locks.lease="))) {
			all.add("--retwis.locks.lease=1s");
		}
		all.add("--retwis.live.replay=1d"); // what is planted in the log is hours old
		return new ExaminedSite(Site.startOn(data, all.toArray(String[]::new)));
	}

	/** The doctor finds nothing. */
	void assertSound() {
		assertThat(examine()).singleElement().asString().matches("Checked [\\d,]+ keys?: every rule holds\\.");
	}

	Site site() {
		return this.site;
	}

	RedisClusterCommands<String, String> redis() {
		return this.site.redis();
	}

	<T> T bean(Class<T> type) {
		return this.site.bean(type);
	}

	/** All lines of an examination. */
	List<String> examine() {
		return lines(false, false);
	}

	List<String> fix() {
		return lines(true, false);
	}

	List<String> waitAndExamine() {
		return lines(false, true);
	}

	private List<String> lines(boolean fix, boolean wait) {
		return Objects.requireNonNull(bean(Doctor.class).examine(fix, wait, (progress) -> {
		}).map(Doctor.Line::text).collectList().block());
	}

	/** What is suspicious about a key now. */
	List<Finding> look(String key) {
		return Objects.requireNonNull(bean(KeyExaminer.class).of(key).collectList().block());
	}

	@Override
	public void close() {
		this.site.close();
	}

}
