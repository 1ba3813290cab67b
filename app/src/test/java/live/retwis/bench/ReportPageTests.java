package live.retwis.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

import live.retwis.locks.nodes.testing.bench.Figure;
import live.retwis.locks.nodes.testing.bench.FigureFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class ReportPageTests {

	private static final FigureFile MEASURED = new FigureFile("pages", "Pages & more", "2026-11-25", "2 cores",
			"mvn verify", List.of(Figure.of("/home", "×", List.of(0.2, 0.3, 0.4)).atLeast(0.5),
					Figure.once("/timeline", "/s", 20_000).atLeast(0.5)));

	@Test
	void aFigureHasItsRoundsItsAimAndWhatWasCommittedBefore(@TempDir Path plots) throws Exception {
		FigureFile committed = new FigureFile("pages", "Pages", "2026-10-01", "1 core", "mvn verify",
				List.of(Figure.once("/home", "×", 0.18)));
		String html = ReportPage.html(List.of(MEASURED), List.of(committed), plots);
		assertThat(html).contains("Pages &amp; more", "0.30 ×", "0.20 × to 0.40 ×", "≥ 0.5", "0.18 ×", "2026-10-01",
				"20,000 /s");
		assertThat(html.split("not reached", -1)).as("/home alone misses its aim").hasSize(2);
		assertThat(html.split("class=\"round\"", -1)).as("one dot for each round").hasSize(5);
	}

	@Test
	void twoFiguresOfOneNameAreToldApartByTheirUnits(@TempDir Path plots) throws Exception {
		FigureFile committed = new FigureFile("pages", "Pages", "2026-10-01", "1 core", "mvn verify",
				List.of(Figure.once("/home", "/s", 15_000), Figure.once("/home", "×", 0.18)));
		assertThat(ReportPage.html(List.of(MEASURED), List.of(committed), plots)).contains("0.18 ×")
			.doesNotContain("15,000 /s");
	}

	@Test
	void thePageSaysOnWhatAndByWhichCommandItWasMeasured(@TempDir Path plots) throws Exception {
		assertThat(ReportPage.html(List.of(MEASURED), List.of(), plots)).contains("2026-11-25, 2 cores.",
				"<code>mvn verify</code>");
	}

	@Test
	void thePageIsLightOrDarkAsItsReaderLikes(@TempDir Path plots) throws Exception {
		assertThat(ReportPage.html(List.of(MEASURED), List.of(), plots)).contains("color-scheme: light dark",
				"@media (prefers-color-scheme: dark)");
	}

	@Test
	void thePageRefersToNothingOutside(@TempDir Path plots) throws Exception {
		Files.writeString(plots.resolve("pages.svg"), "<svg/>");
		String html = ReportPage.html(List.of(MEASURED), List.of(), plots);
		assertThat(Pattern.compile("(?:src|href|action|data)=\"([^\"]*)\"").matcher(html).results())
			.extracting((reference) -> reference.group(1))
			.isNotEmpty()
			.allMatch((address) -> address.startsWith("#") || address.startsWith("data:"));
		assertThat(html).doesNotContain("<script", "<link", "@import", "url(", "http:", "https:");
	}

	@Test
	void aDrawingIsPartOfThePage(@TempDir Path plots) throws Exception {
		assertThat(ReportPage.html(List.of(MEASURED), List.of(), plots)).doesNotContain("<img");
		Files.writeString(plots.resolve("pages.svg"), "<svg/>");
		assertThat(ReportPage.html(List.of(MEASURED), List.of(), plots)).contains("data:image/svg+xml;base64,PHN2Zy8+");
	}

	@Test
	void theCommittedFiguresCanBeRead(@TempDir Path plots) throws Exception {
		List<FigureFile> committed = FigureFile.in(Path.of("src", "docs", "figures"));
		assertThat(committed).extracting(FigureFile::name).contains("pages", "start-17", "mixed-load");
		assertThat(ReportPage.html(committed, committed, plots)).contains("/home, 20 posts: requests of bare, 10 kB");
	}

}
