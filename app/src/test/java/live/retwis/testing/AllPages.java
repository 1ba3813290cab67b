package live.retwis.testing;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reads a list of posts over all its pages.
 */
public final class AllPages {

	private AllPages() {
	}

	/** All posts of a home timeline, the newest first. */
	public static List<String> ofHome(Visitor reader) {
		return of(reader, "/home");
	}

	/** The ids of all posts of a list, from its first page on. */
	public static List<String> idsOf(Visitor reader, String first) {
		List<String> ids = new ArrayList<>();
		String path = first;
		while (!path.isEmpty()) {
			Answer page = reader.get(path);
			assertThat(page.status()).isEqualTo(200);
			ids.addAll(page.postIds());
			path = page.older();
		}
		return ids;
	}

	/** All posts of a list, from its first page on. */
	public static List<String> of(Visitor reader, String first) {
		List<String> posts = new ArrayList<>();
		String path = first;
		while (!path.isEmpty()) {
			Answer page = reader.get(path);
			assertThat(page.status()).isEqualTo(200);
			posts.addAll(page.posts());
			path = page.older();
		}
		return posts;
	}

}
