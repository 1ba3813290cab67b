package live.retwis.post;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import live.retwis.locks.nodes.proxy.FaultProxy;
import live.retwis.locks.nodes.proxy.Interception;
import live.retwis.locks.nodes.proxy.SentCommand;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.log.LogPosition;
import live.retwis.redis.Keys;
import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(RedisExtension.class)
class ReplyTests {

	private final Site site = Site.shared();

	private final Visitor alice = Visitor.registered(this.site);

	private final Visitor bob = Visitor.registered(this.site);

	private Answer reply(Visitor author, String postId, String text) {
		String once = author.get("/posts/" + postId).once();
		return author.submit("/posts", "body", text, "once", once, "reply_to", postId, "next", "/posts/" + postId);
	}

	@Test
	void aReplyIsOnThePageOfThePostAndLinksToIt() {
		String parent = this.alice.post("the question");
		Answer made = reply(this.bob, parent, "the answer");
		assertThat(made.status()).isEqualTo(303);
		assertThat(made.location()).isEqualTo("/posts/" + parent);
		Answer page = Visitor.of(this.site).get("/posts/" + parent);
		assertThat(page.posts()).containsExactly("the question", "the answer");
		assertThat(page.body()).contains("<p class=\"context\"><span>&#8618;</span> <a href=\"/posts/" + parent + "\">@"
				+ this.alice.name() + "</a>", "Replies <span class=\"count\">1</span>");
		String reply = page.postIds().get(1);
		Answer replyPage = this.bob.get("/posts/" + reply);
		assertThat(replyPage.posts()).containsExactly("the question", "the answer");
		assertThat(replyPage.body()).contains("class=\"posts parent\"");
		JsonNode json = this.bob.getJson("/posts/" + reply).json();
		assertThat(json.get("posts").get(0).get("reply_to").asString()).isEqualTo(parent);
		assertThat(json.get("above")).hasSize(1)
			.allSatisfy((above) -> assertThat(above.get("id").asString()).isEqualTo(parent));
	}

	@Test
	void aReplyIsInItsAuthorsLists() {
		reply(this.bob, this.alice.post("hello"), "hello back");
		assertThat(this.bob.get("/home").posts()).containsExactly("hello back");
		assertThat(this.bob.get("/@" + this.bob.name()).posts()).containsExactly("hello back");
		assertThat(this.alice.get("/home").posts()).containsExactly("hello");
	}

	@Test
	void repliesAreOnPagesInTheirOrder() {
		String parent = this.alice.post("a long talk");
		List<String> texts = new ArrayList<>();
		this.bob.get("/home");
		for (int i = 0; i < 53; i++) {
			texts.add("reply " + i);
			this.bob.postJson("body", "reply " + i, "reply_to", parent);
		}
		Answer first = this.bob.get("/posts/" + parent);
		assertThat(first.posts()).startsWith("a long talk").hasSize(51);
		Answer second = this.bob.get(first.older());
		List<String> read = new ArrayList<>(first.posts().subList(1, 51));
		read.addAll(second.posts().subList(1, second.posts().size()));
		assertThat(read).isEqualTo(texts);
		assertThat(second.older()).isEmpty();
	}

	/** The reply was on its way when the workers cleared the deleted post away. */
	@Test
	void aReplyThatIsAddedAfterItsPostWasRemovedExpiresWithThatPost() {
		String parent = this.alice.post("soon gone");
		this.alice.get("/posts/" + parent);
		this.alice.submit("/posts/" + parent + "/delete");
		FanOutWait.settle(this.site);
		Post late = new Post(this.bob.post("late"), this.bob.id(), this.bob.name(), 1, "late", parent,
				this.alice.name(), null);
		this.site.bean(ReplyRepository.class)
			.add(parent, late.id(), 1)
			.then(this.site.bean(ReplyCountUpdater.class).posted(late, LogPosition.of("1-0", "x")))
			.block(Duration.ofSeconds(20));
		assertThat(this.site.redis().ttl(Keys.replies(parent))).isBetween(1L, 86_400L);
	}

	@Test
	void aReplyStaysWhenItsPostIsDeleted() {
		String parent = this.alice.post("soon gone");
		reply(this.bob, parent, "I was here");
		String reply = this.bob.get("/home").postIds().get(0);
		this.alice.get("/posts/" + parent);
		assertThat(this.alice.submit("/posts/" + parent + "/delete").status()).isEqualTo(303);
		Answer page = this.bob.get("/posts/" + reply);
		assertThat(page.status()).isEqualTo(200);
		assertThat(page.posts()).containsExactly("I was here");
		assertThat(page.body()).contains("The post that this one replies to has been deleted.")
			.doesNotContain("soon gone");
	}

	/** Its sender may not have heard the first answer. */
	@Test
	void aReplyThatWasMadeIsAnsweredAsMadeWhenItsFormIsSentAgainAfterItsPostWasDeleted() {
		String parent = this.alice.post("soon gone");
		String[] form = { "body", "I was here", "once", this.bob.get("/posts/" + parent).once(), "reply_to", parent };
		assertThat(this.bob.submit("/posts", form).status()).isEqualTo(303);
		this.alice.get("/posts/" + parent);
		assertThat(this.alice.submit("/posts/" + parent + "/delete").status()).isEqualTo(303);
		this.bob.get("/home");
		assertThat(this.bob.submit("/posts", form).status()).isEqualTo(303);
		form[1] = "another text";
		assertThat(this.bob.submit("/posts", form).status()).isEqualTo(422);
		assertThat(this.bob.get("/@" + this.bob.name()).texts()).containsExactly("I was here");
	}

	@Test
	void aDeletedReplyIsGoneFromThePageOfThePost() {
		String parent = this.alice.post("question");
		reply(this.bob, parent, "wrong answer");
		String reply = this.bob.get("/home").postIds().get(0);
		this.bob.submit("/posts/" + reply + "/delete");
		assertThat(this.alice.get("/posts/" + parent).posts()).containsExactly("question");
	}

	@Test
	void aReplyToADeletedPostIs422WithTheTextKept() {
		String parent = this.alice.post("gone in a moment");
		String once = this.bob.get("/posts/" + parent).once();
		this.alice.submit("/posts/" + parent + "/delete");
		Answer refused = this.bob.submit("/posts", "body", "too late", "once", once, "reply_to", parent);
		assertThat(refused.status()).isEqualTo(422);
		assertThat(refused.textarea()).isEqualTo("too late");
		assertThat(refused.errors()).singleElement().asString().contains("deleted");
		assertThat(this.bob.get("/home").posts()).isEmpty();
	}

	@Test
	void aReplyToAnUnknownPostGets422() {
		assertThat(reply(this.bob, this.alice.post("x"), "y").status()).isEqualTo(303);
		assertThat(this.bob.submit("/posts", "body", "to nobody", "reply_to", "0000000000000").status()).isEqualTo(422);
	}

	@ParameterizedTest
	@ValueSource(strings = { "x", "1", "../1", "0hnxb4rnzq9zv", "0HNXB4RNZQ9ZVX", "0HNXB4RNZQ9Z*", " 0HNXB4RNZQ9ZV" })
	void aMalformedReplyToIs400(String replyTo) {
		this.bob.get("/home");
		assertThat(this.bob.submit("/posts", "body", "text", "reply_to", replyTo).status()).isEqualTo(400);
		assertThat(this.bob.get("/home").posts()).isEmpty();
	}

	@Test
	void aSignedOutVisitorCanReadAndHasToSignInToReply() {
		String parent = this.alice.post("for all");
		Answer page = Visitor.of(this.site).get("/posts/" + parent);
		assertThat(page.status()).isEqualTo(200);
		assertThat(page.body()).contains("/login?next&#x3D;%2Fposts%2F" + parent).doesNotContain("<textarea");
	}

	/** The id of a new reply. */
	private String answered(Site site, Visitor author, String parent) {
		assertThat(reply(author, parent, "the answer").status()).isEqualTo(303);
		FanOutWait.settle(site);
		return author.get("/home").postIds().get(0);
	}

	/** In a cluster, each may be on another node. */
	@ParameterizedTest
	@ValueSource(strings = { "the post above", "whether there is an archive" })
	@Tag("slow")
	@Tag("long")
	void aReplyIsShownWhileThePostAboveItCannotBeRead(String what, @OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site behind = Site.startAt("127.0.0.1", way.port())) {
			Visitor author = Visitor.registered(behind);
			String parent = author.post("lost");
			String reply = answered(behind, author, parent);
			boolean isLost = what.equals("whether there is an archive");
			Predicate<SentCommand> lost = isLost ? SentCommand.named("EXISTS").and(SentCommand.with(Keys.ARCHIVE_SITE))
					: SentCommand.named("HMGET").and(SentCommand.with(Keys.post(parent)));
			if (isLost) {
				behind.redis().del(Keys.post(parent));
			}
			try (Site other = Site.startAt("127.0.0.1", way.port());
					Interception away = way.at(lost).rewriteReply((answer) -> "-CLUSTERDOWN The cluster is down\r\n")) {
				Answer page = Visitor.of(other).get("/posts/" + reply);
				assertThat(away.met()).isPositive();
				assertThat(page.status()).isEqualTo(200);
				assertThat(page.posts()).containsExactly("the answer");
			}
		}
	}

	/** The limit of a page's wait for the archive is two and a half seconds. */
	@Test
	@Tag("slow")
	@Tag("long")
	void aSlowRedisIsNotTakenForAnArchiveThatIsAway(@OwnRedis TestRedis redis) {
		try (FaultProxy way = redis.proxy(); Site behind = Site.startAt("127.0.0.1", way.port())) {
			Visitor author = Visitor.registered(behind);
			String parent = author.post("above");
			String reply = answered(behind, author, parent);
			try (Site other = Site.startAt("127.0.0.1", way.port(), "--spring.data.redis.timeout=20s");
					Interception slow = way.at(SentCommand.named("HMGET").and(SentCommand.with(Keys.post(parent))))
						.delayCommand(Duration.ofSeconds(3))) {
				Answer page = Visitor.of(other).get("/posts/" + reply);
				assertThat(slow.met()).isPositive();
				assertThat(page.status()).isEqualTo(200);
				assertThat(page.posts()).containsExactly("above", "the answer");
			}
		}
	}

}
