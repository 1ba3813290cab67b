package live.retwis.archive;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** A site with an archive, an author of old posts, and somebody who reads them. */
abstract class ArchiveScene {

	static final Duration BOUND = Duration.ofSeconds(30);

	/** The site with the archive. */
	abstract Site site();

	final OldStore store = new OldStore(site());

	final Visitor author = Visitor.registered(site());

	final Visitor stranger = Visitor.of(site());

	void move() {
		site().bean(ArchiveMover.class).moveAll().block(BOUND);
	}

	void sweep() {
		site().bean(ArchiveReconciler.class).sweep(Long.MAX_VALUE).block(BOUND);
	}

	/** Writes a post to the archive as the mover does, and goes no further. */
	void copy(String id) {
		Map<String, String> fields = site().redis().hgetall(Keys.post(id));
		site().bean(ArchivedPostRepository.class)
			.save(List.of(new ArchivedPost(id, Long.parseLong(fields.get("created")), false, fields)), Long.MAX_VALUE)
			.block(BOUND);
	}

	List<String> archived(Collection<String> ids) {
		return site().bean(ArchivedPostRepository.class)
			.readBack(ids)
			.blockOptional(BOUND)
			.orElseThrow()
			.keySet()
			.stream()
			.sorted()
			.toList();
	}

	/** The ids on all pages of a list, page by page. */
	List<List<String>> pages(Visitor visitor, String path) {
		List<List<String>> pages = new ArrayList<>();
		String next = path;
		while (next != null) {
			Answer answer = visitor.getJson(next);
			assertThat(answer.status()).as(next).isEqualTo(200);
			List<String> ids = new ArrayList<>();
			answer.json().get("posts").forEach((post) -> ids.add(post.get("id").asString()));
			pages.add(ids);
			JsonNode older = answer.json().get("older");
			next = (older == null || older.isNull()) ? null : path + "?before=" + older.asString();
			assertThat(pages).hasSizeLessThan(100);
		}
		return pages;
	}

	static String likes(String postId, int count) {
		return "/posts/" + postId + "/like\"" + ((count > 0) ? " data-count=\"" + count + "\"" : "") + ">";
	}

	/** A like counts when the workers have read its log entry. */
	void awaitLikes(String postId, int count) {
		Awaitility.await()
			.atMost(BOUND)
			.untilAsserted(
					() -> assertThat(this.stranger.get("/posts/" + postId).body()).contains(likes(postId, count)));
	}

	String profile() {
		return "/@" + this.author.name();
	}

	static long daysAgo(int days) {
		return System.currentTimeMillis() - Duration.ofDays(days).toMillis();
	}

	static String newId() {
		return "0X%011d".formatted(System.nanoTime() % 100_000_000_000L);
	}

}
