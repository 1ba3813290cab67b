package live.retwis.restriction;

import java.time.Duration;
import java.util.List;

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
 * In which lists of people a viewer sees somebody whom the viewer has muted or blocked.
 */
class RestrictedPeopleTests {

	private static final Duration SOON = Duration.ofSeconds(20);

	private final Site site = Site.shared();

	private final Visitor viewer = Visitor.registered(this.site);

	private final Visitor friend = Visitor.registered(this.site);

	private final Visitor hidden = Visitor.registered(this.site);

	private boolean isListed(Visitor visitor, String path) {
		String person = "href=\"/@" + this.hidden.name() + "\"";
		String json = "\"username\":\"" + this.hidden.name() + "\"";
		boolean listed = visitor.get(path).body().contains(person);
		if (!path.equals("/timeline")) {
			assertThat(visitor.getJson(path).body().contains(json)).as("JSON of " + path).isEqualTo(listed);
		}
		return listed;
	}

	@ParameterizedTest
	@ValueSource(strings = { "mute", "block" })
	void thatUserIsInNoListButThatOfTheRestrictedOnes(String button) {
		String post = this.friend.post("liked by somebody");
		this.hidden.get("/posts/" + post);
		this.hidden.submit("/posts/" + post + "/like");
		this.hidden.submit("/posts/" + post + "/repost");
		this.hidden.follow(this.friend);
		this.friend.follow(this.hidden);
		FanOutWait.settle(this.site);
		List<String> lists = List.of("/search?q=" + this.hidden.name(), "/@" + this.friend.name() + "/followers",
				"/@" + this.friend.name() + "/following", "/posts/" + post + "/likes", "/posts/" + post + "/reposts",
				"/timeline");
		lists.forEach((list) -> Awaitility.await(list).atMost(SOON).until(() -> isListed(this.viewer, list)));
		assertThat(RestrictingVisitor.press(this.viewer, button, this.hidden).status()).isEqualTo(303);
		assertThat(lists).noneMatch((list) -> isListed(this.viewer, list));
		assertThat(lists).allMatch((list) -> isListed(Visitor.of(this.site), list));
		for (String list : List.of("likes", "reposts")) {
			assertThat(this.viewer.get("/posts/" + post + "/" + list).body()).as(list)
				.contains("You have muted or blocked everybody on this page.")
				.doesNotContain("this post yet.");
		}
		assertThat(this.viewer.get(button.equals("mute") ? "/settings/muted" : "/settings/blocked").body())
			.contains("/@" + this.hidden.name());
		RestrictingVisitor.press(this.viewer, "un" + button, this.hidden);
		assertThat(lists).allMatch((list) -> isListed(this.viewer, list));
	}

	@ParameterizedTest
	@ValueSource(strings = { "mute", "block" })
	void thatUserIsNotAmongThoseWhomTheViewerFollowsAndWhoFollowAnother(String button) {
		String common = "/@" + this.friend.name() + "/common";
		this.hidden.follow(this.friend);
		this.viewer.follow(this.hidden);
		assertThat(isListed(this.viewer, common)).isTrue();
		RestrictingVisitor.press(this.viewer, button, this.hidden);
		assertThat(isListed(this.viewer, common)).isFalse();
		RestrictingVisitor.press(this.viewer, "un" + button, this.hidden);
		assertThat(isListed(this.viewer, common)).as("a block ends the follow").isEqualTo(button.equals("mute"));
	}

	@Test
	void aProfileDoesNotNameAMutedUserAmongThoseWhomTheViewerFollows() {
		String path = "/@" + this.friend.name();
		this.hidden.follow(this.friend);
		this.viewer.follow(this.hidden);
		assertThat(this.viewer.get(path).body()).contains("Followed by @" + this.hidden.name());
		RestrictingVisitor.press(this.viewer, "mute", this.hidden);
		assertThat(this.viewer.get(path).body()).doesNotContain("Followed by", this.hidden.name());
	}

	@ParameterizedTest
	@ValueSource(strings = { "likes", "reposts" })
	void whoReactsToAPostOfABlockedUserIsNotShownAndNeitherIsThePost(String list) {
		String post = this.hidden.post("of somebody who is blocked soon");
		String path = "/posts/" + post + "/" + list;
		assertThat(this.viewer.get(path).status()).isEqualTo(200);
		RestrictingVisitor.press(this.viewer, "block", this.hidden);
		for (Answer refused : List.of(this.viewer.get(path), this.viewer.getJson(path))) {
			assertThat(refused.status()).isEqualTo(403);
			assertThat(refused.body()).doesNotContain("of somebody who");
		}
	}

}
