package live.retwis.browser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class GalleryTests {

	@Test
	void aPageHasARowWithAllOfItsPicturesTheNarrowestFirst(@TempDir Path folder) throws IOException {
		for (String file : List.of("profile-archived-1280-light-en.png", "profile-archived-360-dark-zh.png",
				"home-768-light-en.png", "notes.txt")) {
			Files.createFile(folder.resolve(file));
		}
		Gallery.write(folder);
		assertThat(Files.readString(folder.resolve("index.html")))
			.containsSubsequence("<h2>home</h2>", "src=\"home-768-light-en.png\"", "<h2>profile-archived</h2>",
					"src=\"profile-archived-360-dark-zh.png\"", "src=\"profile-archived-1280-light-en.png\"")
			.doesNotContain("notes");
	}

}
