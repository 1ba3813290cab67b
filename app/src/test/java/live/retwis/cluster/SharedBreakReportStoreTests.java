package live.retwis.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Reports that people have shared. */
class SharedBreakReportStoreTests {

	private static String report(int number, String by) {
		return "{\"by\":\"" + by + "\",\"number\":" + number + "}";
	}

	@Test
	void whoSharesManyPushesOutOnlyTheirOwn(@TempDir Path directory) throws IOException {
		SharedBreakReportStore reports = new SharedBreakReportStore(directory);
		String first = reports.keep(report(0, "modest"));
		Files.setLastModifiedTime(directory.resolve(first + ".json"), FileTime.fromMillis(1_000_000));
		List<String> many = new ArrayList<>();
		for (int i = 1; i <= SharedBreakReportStore.MOST + 1; i++) {
			many.add(reports.keep(report(i, "greedy")));
			Files.setLastModifiedTime(directory.resolve(many.get(i - 1) + ".json"), FileTime.fromMillis(1_000_000 + i));
		}
		assertThat(reports.find(first)).isPresent();
		assertThat(many.stream().filter((id) -> reports.find(id).isPresent()))
			.containsExactlyElementsOf(many.subList(many.size() - SharedBreakReportStore.MOST_OF_ONE, many.size()));
	}

	@Test
	void aReportIsThereAfterARestartAndOnlyTheLatestTwentyAre(@TempDir Path directory) throws IOException {
		Path folder = directory.resolve("reports");
		SharedBreakReportStore reports = new SharedBreakReportStore(folder);
		assertThat(reports.find("0123456789")).isEmpty();
		List<String> ids = new ArrayList<>();
		for (int i = 0; i < SharedBreakReportStore.MOST; i++) {
			ids.add(reports.keep(report(i, "user" + i)));
			Files.setLastModifiedTime(folder.resolve(ids.get(i) + ".json"), FileTime.fromMillis(1_000_000 + i));
		}
		SharedBreakReportStore later = new SharedBreakReportStore(folder);
		assertThat(later.find(ids.get(0))).contains(report(0, "user0"));
		String newest = later.keep(report(20, "user20"));
		assertThat(later.find(ids.get(0))).isEmpty();
		assertThat(later.find(ids.get(1))).contains(report(1, "user1"));
		assertThat(later.find(newest)).contains(report(20, "user20"));
		try (var files = Files.list(folder)) {
			assertThat(files).hasSize(SharedBreakReportStore.MOST);
		}
	}

	@Test
	void anIdIsNoPath(@TempDir Path directory) throws IOException {
		Files.writeString(directory.resolve("0123456789.json"), "outside");
		SharedBreakReportStore reports = new SharedBreakReportStore(directory.resolve("reports"));
		reports.keep("{}");
		assertThat(reports.find("../0123456789")).isEmpty();
		assertThat(reports.find("")).isEmpty();
	}

}
