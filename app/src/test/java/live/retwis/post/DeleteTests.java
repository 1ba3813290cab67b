package live.retwis.post;

import java.time.Duration;
import java.util.List;

import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DeleteTests {

	private final Site site = Site.shared();

	private final Visitor author = Visitor.registered(this.site);

	private Answer delete(Visitor visitor, String postId) {
		visitor.get("/posts/" + postId);
		return visitor.submit("/posts/" + postId + "/delete");
	}

	@Test
	void aDeletedPostIsGoneFromEveryPageAtOnce() {
		Visitor follower = Visitor.registered(this.site);
		follower.follow(this.author);
		String id = this.author.post("regretted");
		Awaitility.await()
			.atMost(Duration.ofSeconds(10))
			.until(() -> follower.get("/home").posts().contains("regretted"));
		Answer answer = delete(this.author, id);
		assertThat(answer.status()).isEqualTo(303);
		assertThat(answer.location()).isEqualTo("/home");
		for (String path : List.of("/home", "/timeline", "/@" + this.author.name())) {
			assertThat(this.author.get(path).postIds()).as(path).doesNotContain(id);
			assertThat(this.author.getJson(path).body()).as(path).doesNotContain(id);
			assertThat(follower.get(path).body()).as(path).doesNotContain("regretted");
		}
		assertThat(follower.get("/posts/" + id).status()).isEqualTo(404);
		assertThat(follower.getJson("/posts/" + id).status()).isEqualTo(404);
	}

	@Test
	void theStoreNoLongerHasTheTextAndNoListHasThePost() {
		Visitor follower = Visitor.registered(this.site);
		follower.follow(this.author);
		String id = this.author.post("regretted");
		delete(this.author, id);
		assertThat(this.site.redis().hexists("post:" + id, "body")).isFalse();
		assertThat(this.site.redis().hget("post:" + id, "deleted")).isNotNull();
		for (String list : List.of(Keys.homeTimeline(follower.id()), Keys.homeTimeline(this.author.id()),
				"posts:" + this.author.id(), "{live}:public")) {
			Awaitility.await(list)
				.atMost(Duration.ofSeconds(10))
				.until(() -> this.site.redis().zscore(list, id) == null);
		}
	}

	@Test
	void onlyTheAuthorSeesTheButtonAndCanDelete() {
		String id = this.author.post("mine");
		Visitor other = Visitor.registered(this.site);
		assertThat(this.author.get("/posts/" + id).body()).contains("/posts/" + id + "/delete");
		assertThat(other.get("/posts/" + id).body()).doesNotContain("/posts/" + id + "/delete");
		assertThat(delete(other, id).status()).isEqualTo(403);
		assertThat(this.author.get("/posts/" + id).posts()).containsExactly("mine");
	}

	@Test
	void deletingAgainGetsTheSameAnswer() {
		String id = this.author.post("twice");
		String next = this.author.post("stays");
		assertThat(delete(this.author, id).status()).isEqualTo(303);
		this.author.get("/posts/" + next);
		assertThat(this.author.submit("/posts/" + id + "/delete").status()).isEqualTo(303);
		assertThat(this.author.get("/home").posts()).containsExactly("stays");
	}

	@Test
	void aProgramIsToldInJsonThatAPostIsDeleted() {
		String id = this.author.post("deleted by a program");
		for (String time : List.of("first", "again")) {
			Answer answer = this.author.submitJson("/posts/" + id + "/delete");
			assertThat(answer.status()).as(time).isEqualTo(200);
			assertThat(answer.json().get("post").asString()).isEqualTo(id);
			assertThat(answer.json().get("deleted").asBoolean()).isTrue();
		}
		Visitor other = Visitor.registered(this.site);
		other.get("/home");
		Answer refused = other.submitJson("/posts/" + this.author.post("not theirs") + "/delete");
		assertThat(refused.status()).isEqualTo(403);
		assertThat(refused.header("Content-Type")).isEqualTo("application/problem+json");
	}

	@Test
	void deletingAnUnknownPostIs404() {
		this.author.get("/home");
		for (String id : List.of("0000000000000", "nonsense", "*")) {
			assertThat(this.author.submit("/posts/" + id + "/delete").status()).as(id).isEqualTo(404);
		}
	}

	@Test
	void aSignedOutVisitorSignsInAndComesBackToThePost() {
		String id = this.author.post("safe");
		Visitor stranger = Visitor.of(this.site);
		stranger.get("/login");
		Answer answer = stranger.submit("/posts/" + id + "/delete");
		assertThat(answer.status()).isEqualTo(303);
		assertThat(answer.location()).isEqualTo("/login?next=%2Fposts%2F" + id);
		assertThat(this.author.get("/posts/" + id).status()).isEqualTo(200);
	}

	@Test
	void anUnknownPostIs404() {
		for (String id : List.of("0000000000000", "nonsense", "%20", "0hnxb4rnzq9zv", "ZZZZZZZZZZZZZ")) {
			assertThat(this.author.get("/posts/" + id).status()).as(id).isEqualTo(404);
		}
	}

}
