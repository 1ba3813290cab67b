package live.retwis.web;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

class StaticFilesTests {

	@Test
	void theLanguageStandsBetweenTheDotAndATilde() {
		assertThat(StaticFiles.languageOf("0123abcd.zh")).isEqualTo("zh");
		assertThat(StaticFiles.languageOf("0123abcd.zh-Hant~2")).isEqualTo("zh-Hant");
		assertThat(StaticFiles.languageOf("zh")).isEmpty();
		assertThat(StaticFiles.languageOf("")).isEmpty();
	}

	/** With a time that grows with the square of the length this would take hours. */
	@Test
	@Timeout(20)
	void manyTildesBeforeALineEndTakeNoLonger() {
		assertThat(StaticFiles.languageOf("." + "~".repeat(3_000_000) + "\nx")).isEmpty();
	}

}
