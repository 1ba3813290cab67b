package live.retwis.follow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import live.retwis.redis.TimeSortedIdGenerator;
import live.retwis.testing.Answer;
import live.retwis.testing.FanOutWait;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The lists of followers and of followed users.
 */
class ListedPeopleReaderTests {

	private static final Duration SOON = Duration.ofSeconds(10);

	private static final long SINCE = 1_700_000_000_000L;

	private final Site site = Site.shared();

	private final Visitor alice = Visitor.registered(this.site);

	private static List<String> names(Answer page) {
		return Pattern.compile("<li><a class=\"author\" href=\"/@([^\"]*)\"")
			.matcher(page.body())
			.results()
			.map((r) -> r.group(1))
			.toList();
	}

	/**
	 * Adds users to a list of the store, latest first. Several of them follow in the same
	 * millisecond.
	 */
	private List<String> plant(String list, int count) {
		List<String> planted = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			String id = Objects.requireNonNull(this.site.bean(TimeSortedIdGenerator.class).next().block()).id();
			String name = Visitor.freshName();
			this.site.redis().hset("user:" + id, "username", name);
			this.site.redis().hset("user:" + id, "created", "1");
			this.site.redis().zadd(list, SINCE + i / 3 * 1000, id);
			planted.add(id);
		}
		return this.site.redis()
			.zrevrange(list, 0, -1)
			.stream()
			.filter(planted::contains)
			.map((id) -> Objects.requireNonNull(this.site.redis().hget("user:" + id, "username")))
			.toList();
	}

	private List<String> readAll(String path) {
		List<String> read = new ArrayList<>();
		for (String at = path; !at.isEmpty();) {
			Answer page = Visitor.of(this.site).get(at);
			assertThat(page.status()).isEqualTo(200);
			read.addAll(names(page));
			at = page.older();
		}
		return read;
	}

	@Test
	void eachNameHasTheTimeOfTheFollow() {
		Visitor bob = Visitor.registered(this.site);
		bob.follow(this.alice);
		Answer followers = Visitor.of(this.site).get("/@" + this.alice.name() + "/followers");
		assertThat(names(followers)).containsExactly(bob.name());
		assertThat(followers.body())
			.containsPattern("<time class=\"when\" datetime=\"\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z\"");
		Answer following = Visitor.of(this.site).get("/@" + bob.name() + "/following");
		assertThat(names(following)).containsExactly(this.alice.name());
		assertThat(following.find("<time class=\"when\" datetime=\"([^\"]*)\""))
			.isEqualTo(followers.find("<time class=\"when\" datetime=\"([^\"]*)\""));
	}

	@Test
	void emptyListsSaySo() {
		assertThat(this.alice.get("/@" + this.alice.name() + "/followers").body())
			.contains("@" + this.alice.name() + " has no followers yet.");
		assertThat(this.alice.get("/@" + this.alice.name() + "/following").body())
			.contains("@" + this.alice.name() + " follows nobody yet.");
	}

	@Test
	void longListsShowEveryUserOnceLatestFirst() {
		List<String> followers = plant("followers:" + this.alice.id(), 120);
		String path = "/@" + this.alice.name() + "/followers";
		assertThat(names(this.alice.get(path))).hasSize(50);
		assertThat(readAll(path)).isEqualTo(followers);
		List<String> followed = plant("following:" + this.alice.id(), 51);
		assertThat(readAll("/@" + this.alice.name() + "/following")).isEqualTo(followed);
	}

	@Test
	void aListThatFillsExactlyOnePageHasNoNextPage() {
		plant("followers:" + this.alice.id(), 50);
		Answer page = this.alice.get("/@" + this.alice.name() + "/followers");
		assertThat(names(page)).hasSize(50);
		assertThat(page.older()).isEmpty();
	}

	@Test
	void aPageStaysTheSameWhileOthersFollow() {
		List<String> followers = plant("followers:" + this.alice.id(), 60);
		String older = this.alice.get("/@" + this.alice.name() + "/followers").older();
		Visitor.registered(this.site).follow(this.alice);
		assertThat(names(this.alice.get(older))).isEqualTo(followers.subList(50, 60));
	}

	@ParameterizedTest
	@ValueSource(strings = { "followers", "following", "likes", "reposts" })
	void eachUserHasAButtonAndTheNumberOfFollowers(String kind) {
		Visitor bob = Visitor.registered(this.site);
		Visitor carol = Visitor.registered(this.site);
		String post = this.alice.post("liked and reposted by two");
		for (Visitor visitor : List.of(bob, carol)) {
			visitor.follow(this.alice);
			this.alice.follow(visitor);
			visitor.submit("/posts/" + post + "/like");
			visitor.submit("/posts/" + post + "/repost");
		}
		FanOutWait.settle(this.site);
		String list = (kind.startsWith("follow") ? "/@" + this.alice.name() : "/posts/" + post) + "/" + kind;
		String follow = "formaction=\"/@%s/follow\"".formatted(carol.name());
		assertThat(bob.get(list).entryOf(carol)).contains(follow, ">1 follower ");
		assertThat(bob.get(list).entryOf(bob)).contains(">1 follower ").doesNotContain("formaction");
		Answer answer = bob.submitFrom(list, "/@" + carol.name() + "/follow");
		assertThat(answer.location()).isEqualTo(list);
		Awaitility.await()
			.atMost(SOON)
			.untilAsserted(() -> assertThat(bob.get(list).entryOf(carol)).contains(">2 followers "));
		assertThat(bob.get(list).entryOf(carol)).contains("formaction=\"/@%s/unfollow\"".formatted(carol.name()))
			.doesNotContain(follow);
		assertThat(Visitor.of(this.site).get(list).entryOf(carol)).contains(">2 followers ")
			.doesNotContain("formaction");
	}

	@Test
	void whoIsFollowedByTheViewerAndFollowsAnotherHasAButtonAndTheNumberOfFollowers() {
		Visitor bob = Visitor.registered(this.site);
		Visitor carol = Visitor.registered(this.site);
		carol.follow(this.alice);
		bob.follow(carol);
		String list = "/@" + this.alice.name() + "/common";
		assertThat(bob.get(list).entryOf(carol)).contains("formaction=\"/@%s/unfollow\"".formatted(carol.name()),
				">1 follower ");
		Answer answer = bob.submitFrom(list, "/@" + carol.name() + "/unfollow");
		assertThat(answer.location()).isEqualTo(list);
		assertThat(bob.get(list).body()).contains("Nobody you follow follows @" + this.alice.name() + ".");
	}

	@Test
	void aButtonNeverLeadsToAnotherSite() {
		Visitor bob = Visitor.registered(this.site);
		bob.get("/@" + this.alice.name());
		for (String referer : List.of("https://example.org//evil", "javascript:1", "http://[", "")) {
			assertThat(bob.submitFrom(referer, "/@" + this.alice.name() + "/follow").location()).as(referer)
				.isEqualTo("/@" + this.alice.name());
		}
	}

	@Test
	void theFollowersWhomTheViewerFollowsAreNamedAndHaveAPage() {
		Visitor viewer = Visitor.registered(this.site);
		List<Visitor> friends = IntStream.range(0, 4).mapToObj((i) -> Visitor.registered(this.site)).toList();
		friends.forEach(viewer::follow);
		friends.subList(0, 3).forEach((friend) -> friend.follow(this.alice));
		Visitor.registered(this.site).follow(this.alice);
		String common = "/@" + this.alice.name() + "/common";
		assertThat(viewer.get("/@" + this.alice.name()).body())
			.contains("<a href=\"%s\">Followed by @%s, @%s and one other you follow</a>".formatted(common,
					friends.get(0).name(), friends.get(1).name()));
		assertThat(names(viewer.get(common))).containsExactly(friends.get(2).name(), friends.get(1).name(),
				friends.get(0).name());
		assertThat(viewer.getJson(common).body())
			.contains("\"" + friends.get(0).name() + "\"", "\"" + friends.get(2).name() + "\"")
			.doesNotContain("\"" + friends.get(3).name() + "\"");
		assertThat(friends.get(3).get(common).body()).contains("Nobody you follow follows @" + this.alice.name() + ".");
		assertThat(Visitor.of(this.site).get(common).location()).startsWith("/login?next=");
	}

	@Test
	void theCommonFollowersArePaged() {
		List<String> followed = plant("following:" + this.alice.id(), 60);
		Visitor bob = Visitor.registered(this.site);
		this.site.redis()
			.zrange("following:" + this.alice.id(), 0, -1)
			.forEach((id) -> this.site.redis().zadd("followers:" + bob.id(), 1, id));
		Answer first = this.alice.get("/@" + bob.name() + "/common");
		assertThat(names(first)).isEqualTo(followed.subList(0, 50));
		assertThat(names(this.alice.get(first.older()))).isEqualTo(followed.subList(50, 60));
	}

	@Test
	void aCursorOfAnotherListIs400() {
		plant("followers:" + this.alice.id(), 60);
		String cursor = this.alice.get("/@" + this.alice.name() + "/followers").older().split("before=")[1];
		Visitor bob = Visitor.registered(this.site);
		for (String path : List.of("/@" + bob.name() + "/followers", "/@" + this.alice.name() + "/following",
				"/@" + this.alice.name(), "/timeline", "/home")) {
			assertThat(this.alice.get(path + "?before=" + cursor).status()).as(path).isEqualTo(400);
		}
		assertThat(this.alice.get("/@" + this.alice.name() + "/followers?before=x").status()).isEqualTo(400);
	}

}
