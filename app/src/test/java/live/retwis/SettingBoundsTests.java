package live.retwis;

import java.util.Map;

import live.retwis.archive.ArchiveProperties;
import live.retwis.follow.FollowProperties;
import live.retwis.timeline.TimelineProperties;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Settings with which the site would start, and then fail. */
class SettingBoundsTests {

	@ParameterizedTest
	@CsvSource({ "retwis.timeline.public-size, 0, 0", "retwis.timeline.size, 0, 0", "retwis.follow.shard, 0, 0",
			"retwis.archive.every, 0s, PT0S", "retwis.archive.every, -1s, PT-1S" })
	void aSettingOutOfItsRangeIsRefusedAndNamed(String name, String value, String told) {
		Binder binder = new Binder(new MapConfigurationPropertySource(Map.of(name, value)));
		assertThatThrownBy(() -> {
			binder.bindOrCreate("retwis.timeline", TimelineProperties.class);
			binder.bindOrCreate("retwis.follow", FollowProperties.class);
			binder.bindOrCreate("retwis.archive", ArchiveProperties.class);
		}).rootCause().hasMessageStartingWith(name + " is " + told + ". Set it to ");
	}

}
