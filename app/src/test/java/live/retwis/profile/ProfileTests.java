package live.retwis.profile;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import live.retwis.testing.AllPages;
import live.retwis.testing.Answer;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class ProfileTests {

	private final Site site = Site.shared();

	private final Visitor alice = Visitor.registered(this.site, "Al_" + Visitor.freshName());

	private final Visitor stranger = Visitor.of(this.site);

	@Test
	void aProfileShowsItsUsersPostsAndCounts() {
		Visitor bob = Visitor.registered(this.site);
		bob.follow(this.alice);
		this.alice.post("first");
		bob.post("not hers");
		this.alice.post("second");
		Answer profile = this.stranger.get("/@" + this.alice.name());
		assertThat(profile.status()).isEqualTo(200);
		assertThat(profile.posts()).containsExactly("second", "first");
		assertThat(profile.body()).contains("<b>2</b> posts<", "<b>1</b> follower<", "<b>0</b> following<");
		JsonNode json = this.stranger.getJson("/@" + this.alice.name()).json();
		assertThat(json.get("posts")).hasSize(2)
			.allSatisfy((post) -> assertThat(post.get("counts").get("likes").asInt()).isZero());
		assertThat(json.get("user").get("username").asString()).isEqualTo(this.alice.name());
		assertThat(json.get("user").get("posts").asInt()).isEqualTo(2);
		assertThat(json.get("user").get("followers").asInt()).isOne();
		assertThat(json.get("user").get("picture").isNull()).isTrue();
		assertThat(json.get("user").get("relation").isNull()).as("of nobody").isTrue();
	}

	@Test
	void theJsonOfAProfileSaysHowTheViewerIsRelatedToTheUser() {
		Visitor viewer = Visitor.registered(this.site);
		Visitor friend = Visitor.registered(this.site);
		viewer.follow(friend);
		friend.follow(this.alice);
		this.alice.follow(viewer);
		JsonNode relation = viewer.getJson("/@" + this.alice.name()).json().get("user").get("relation");
		assertThat(relation.get("following").asBoolean()).isFalse();
		assertThat(relation.get("follows_you").asBoolean()).isTrue();
		assertThat(relation.get("both_follow").asInt()).isZero();
		assertThat(relation.get("followed_by")).singleElement()
			.satisfies((name) -> assertThat(name.asString()).isEqualTo(friend.name()));
		assertThat(relation.get("followed_by_count").asInt()).isOne();
	}

	@Test
	void aProfileNamesTwoOfThoseWhoFollowItsUserAndCountsTheOthers() {
		Visitor viewer = Visitor.registered(this.site);
		List<Visitor> friends = Stream.generate(() -> Visitor.registered(this.site)).limit(5).toList();
		String path = "/@" + this.alice.name();
		for (int i = 0; i < friends.size(); i++) {
			Visitor friend = friends.get(i);
			viewer.follow(friend);
			friend.follow(this.alice);
			if (i < 2) {
				continue;
			}
			JsonNode relation = viewer.getJson(path).json().get("user").get("relation");
			assertThat(relation.get("followed_by_count").asInt()).isEqualTo(i + 1);
			List<String> named = relation.get("followed_by").values().stream().map(JsonNode::asString).toList();
			assertThat(named).hasSize(2).isSubsetOf(friends.stream().map(Visitor::name).toList());
			assertThat(viewer.get(path).body()).contains("/common\">Followed by @" + named.get(0) + ", @" + named.get(1)
					+ ((i == 2) ? " and one other" : " and " + (i - 1) + " others") + " you follow</a></li>");
			assertThat(viewer.get(path + "?lang=zh").body())
				.contains(">你关注的 @" + named.get(0) + "、@" + named.get(1) + " 和另外 " + (i - 1) + " 人也关注了</a></li>");
			viewer.get("/timeline?lang=en");
		}
	}

	@Test
	void aSinglePostOrFollowerIsWrittenInTheSingular() {
		Visitor bob = Visitor.registered(this.site);
		Visitor carol = Visitor.registered(this.site);
		this.alice.post("the only one");
		this.alice.follow(bob);
		carol.follow(this.alice);
		String address = "/@" + this.alice.name();
		assertThat(this.stranger.get(address).body()).contains("<b>1</b> post<", "<b>1</b> follower<",
				"<b>1</b> following<");
		bob.follow(this.alice);
		assertThat(this.stranger.get(address).body()).contains("<b>2</b> followers<");
	}

	@Test
	void anEmptyProfileSaysSo() {
		assertThat(this.stranger.get("/@" + this.alice.name()).body())
			.contains("@" + this.alice.name() + " has not posted yet.");
		assertThat(this.alice.get("/@" + this.alice.name()).body()).contains("You have not posted yet.");
	}

	@Test
	void anotherSpellingRedirectsToTheRegisteredOneAndKeepsTheQuery() {
		String other = this.alice.name().toUpperCase(Locale.ROOT);
		Answer moved = this.stranger.get("/@" + other + "?lang=en&x=%2F%2Fevil");
		assertThat(moved.status()).isEqualTo(301);
		assertThat(moved.location()).isEqualTo("/@" + this.alice.name() + "?lang=en&x=%2F%2Fevil");
		assertThat(this.stranger.get("/@" + other).location()).isEqualTo("/@" + this.alice.name());
		assertThat(this.stranger.get("/@" + this.alice.name() + "?x=1").status()).isEqualTo(200);
	}

	@Test
	void pagesShowEveryPostOnce() {
		List<String> texts = new ArrayList<>();
		for (int i = 0; i < 41; i++) {
			texts.add(0, "post " + i);
			this.alice.post("post " + i);
		}
		assertThat(AllPages.of(this.stranger, "/@" + this.alice.name())).isEqualTo(texts);
	}

	@Test
	void anUnknownNameIs404() {
		for (String name : List.of(Visitor.freshName(), "", "%20", "a-b", "%3Cscript%3E", "a".repeat(31),
				"%E5%90%8D")) {
			Answer answer = this.stranger.get("/@" + name);
			assertThat(answer.status()).as(name).isEqualTo(404);
			assertThat(answer.body()).doesNotContain("<script>");
		}
	}

}
