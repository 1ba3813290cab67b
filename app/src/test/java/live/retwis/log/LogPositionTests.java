package live.retwis.log;

import java.util.List;

import live.retwis.log.LogEntry.Announcement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class LogPositionTests {

	@Test
	void aWrittenPositionIsReadBack() {
		LogPosition position = new LogPosition(1_795_223_658_318L, 3, "hDOhiHBX");
		assertThat(position).hasToString("1795223658318-3.hDOhiHBX");
		assertThat(LogPosition.parse(position.toString())).contains(position);
		assertThat(LogPosition.of("1795223658318-3", "hDOhiHBX")).isEqualTo(position);
		assertThat(position.entryId()).isEqualTo("1795223658318-3");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "0", "1-2", "1-2.", "-1-2.x", "1.2.x", "1-2.x y", "1-2.x\n", " 1-2.x", "a-b.x",
			"1-2.é", "9999999999999999-0.x", "1-9999999999999999.x", "99999999999999999999999-0.x", "$.x", "1--2.x",
			"1-2.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" })
	void anyOtherTextIsNotAPosition(String garbage) {
		assertThat(LogPosition.parse(garbage)).isEmpty();
	}

	@Test
	void positionsAreInTheOrderOfTheLogWhateverTheirNonce() {
		List<LogPosition> ordered = List.of(new LogPosition(1, 0, "z"), new LogPosition(1, 2, "a"),
				new LogPosition(1, 10, "b"), new LogPosition(2, 0, "a"), new LogPosition(10, 0, "a"));
		assertThat(ordered).isSorted();
		assertThat(new LogPosition(1, 1, "a")).isEqualByComparingTo(new LogPosition(1, 1, "b"))
			.isNotEqualTo(new LogPosition(1, 1, "b"));
	}

	@Test
	void anAnnouncementNamesTheEntryAndTheOneBeforeIt() {
		Announcement announcement = Announcement.parse("5-0.xyz 6-1 nonce abc type post post P1 user U1");
		assertThat(announcement.previous()).isEqualTo("5-0.xyz");
		assertThat(announcement.entry())
			.isEqualTo(new LogEntry(new LogPosition(6, 1, "abc"), LogEntry.Type.POST, "P1", "U1", ""));
		assertThat(Announcement.parse("0-0 1-0 nonce n type follow user A other B").entry())
			.isEqualTo(new LogEntry(new LogPosition(1, 0, "n"), LogEntry.Type.FOLLOW, "", "A", "B"));
	}

	@Test
	void anEntryOfANewerReleaseIsSkipped() {
		LogEntry entry = Announcement.parse("1-0 2-0 nonce n type poke user A mood happy odd").entry();
		assertThat(entry.type()).isEqualTo(LogEntry.Type.UNKNOWN);
		assertThat(entry.position()).isEqualTo(new LogPosition(2, 0, "n"));
		assertThat(Announcement.parse("1-0 2-0").entry().type()).isEqualTo(LogEntry.Type.UNKNOWN);
	}

	@Test
	void everyTypeIsReadAsItIsWritten() {
		for (LogEntry.Type type : LogEntry.Type.values()) {
			assertThat(Announcement.parse("1-0 2-0 nonce n type " + type.text()).entry().type()).isEqualTo(type);
		}
	}

}
