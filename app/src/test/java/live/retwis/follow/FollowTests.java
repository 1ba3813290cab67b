package live.retwis.follow;

import java.util.List;
import java.util.Locale;

import live.retwis.testing.Answer;
import live.retwis.testing.Simultaneous;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FollowTests {

	private final Site site = Site.shared();

	private final Visitor alice = Visitor.registered(this.site);

	private final Visitor bob = Visitor.registered(this.site);

	private Answer follow(Visitor follower, Visitor followed) {
		follower.get("/@" + followed.name());
		return follower.submit("/@" + followed.name() + "/follow");
	}

	private Answer unfollow(Visitor follower, Visitor followed) {
		follower.get("/@" + followed.name());
		return follower.submit("/@" + followed.name() + "/unfollow");
	}

	@Test
	void followingLeadsBackToTheProfileAndCounts() {
		Answer answer = follow(this.bob, this.alice);
		assertThat(answer.status()).isEqualTo(303);
		assertThat(answer.location()).isEqualTo("/@" + this.alice.name());
		assertThat(this.bob.get("/@" + this.alice.name()).body()).contains("/unfollow", "<b>1</b> follower<",
				"<b>0</b> following<");
		assertThat(this.bob.get("/@" + this.bob.name()).body()).contains("<b>0</b> followers<", "<b>1</b> following<");
		assertThat(this.alice.get("/@" + this.bob.name()).body()).contains("Follows you", "/follow\"");
	}

	@Test
	void followingAgainChangesNothing() {
		follow(this.bob, this.alice);
		Double since = this.site.redis().zscore("following:" + this.bob.id(), this.alice.id());
		assertThat(since).isNotNull();
		assertThat(follow(this.bob, this.alice).status()).isEqualTo(303);
		assertThat(Simultaneous.times(6, (i) -> this.bob.submit("/@" + this.alice.name() + "/follow").status()))
			.containsOnly(303);
		assertThat(this.site.redis().zscore("following:" + this.bob.id(), this.alice.id())).isEqualTo(since);
		assertThat(this.site.redis().zscore("followers:" + this.alice.id(), this.bob.id())).isEqualTo(since);
		assertThat(this.bob.get("/@" + this.alice.name()).body()).contains("<b>1</b> follower<");
	}

	@Test
	void unfollowingUndoesAFollowHoweverOftenItIsSent() {
		follow(this.bob, this.alice);
		for (int i = 0; i < 2; i++) {
			Answer answer = unfollow(this.bob, this.alice);
			assertThat(answer.status()).isEqualTo(303);
			assertThat(answer.location()).isEqualTo("/@" + this.alice.name());
			assertThat(this.bob.get("/@" + this.alice.name()).body()).contains("<b>0</b> followers<", "/follow\"");
		}
		assertThat(this.site.redis().exists("following:" + this.bob.id(), "followers:" + this.alice.id())).isZero();
	}

	@Test
	void bothSidesAgreeAfterFollowingAndUnfollowingAtTheSameTime() {
		for (int round = 0; round < 30; round++) {
			follow(this.bob, this.alice);
			assertThat(Simultaneous.times(4,
					(i) -> this.bob.submit("/@" + this.alice.name() + ((i % 2 == 0) ? "/unfollow" : "/follow"))
						.status()))
				.containsOnly(303);
			assertThat(this.site.redis().zscore("followers:" + this.alice.id(), this.bob.id())).as("round %s", round)
				.isEqualTo(this.site.redis().zscore("following:" + this.bob.id(), this.alice.id()));
		}
	}

	@Test
	void followingAgainFinishesAHalfDoneFollow() {
		follow(this.bob, this.alice);
		Double since = this.site.redis().zscore("following:" + this.bob.id(), this.alice.id());
		this.site.redis().zrem("followers:" + this.alice.id(), this.bob.id());
		follow(this.bob, this.alice);
		assertThat(this.site.redis().zscore("followers:" + this.alice.id(), this.bob.id())).isEqualTo(since);
	}

	@Test
	void aProgramIsToldInJsonWhetherItsUserFollows() {
		String profile = "/@" + this.alice.name();
		this.bob.get(profile);
		for (String form : List.of("follow", "follow", "unfollow", "unfollow")) {
			Answer answer = this.bob.submitJson(profile + "/" + form);
			assertThat(answer.status()).as(form).isEqualTo(200);
			assertThat(answer.json().get("username").asString()).isEqualTo(this.alice.name());
			assertThat(answer.json().get("following").asBoolean()).isEqualTo(form.equals("follow"));
			assertThat(this.bob.getJson(profile).json().get("user").get("relation").get("following").asBoolean())
				.isEqualTo(form.equals("follow"));
		}
		Answer refused = this.bob.submitJson("/@" + this.bob.name() + "/follow");
		assertThat(refused.status()).isEqualTo(422);
		assertThat(refused.header("Content-Type")).isEqualTo("application/problem+json");
	}

	@Test
	void theCaseOfTheNameDoesNotMatter() {
		this.bob.get("/home");
		Answer answer = this.bob.submit("/@" + this.alice.name().toUpperCase(Locale.ROOT) + "/follow");
		assertThat(answer.status()).isEqualTo(303);
		assertThat(answer.location()).isEqualTo("/@" + this.alice.name());
	}

	@Test
	void followingOneselfIsRefused() {
		Answer answer = follow(this.bob, this.bob);
		assertThat(answer.status()).isEqualTo(422);
		assertThat(answer.body()).contains("You cannot follow yourself.");
		assertThat(this.site.redis().exists("following:" + this.bob.id())).isZero();
		assertThat(this.bob.get("/@" + this.bob.name()).body()).doesNotContain("/follow\"");
	}

	@Test
	void anUnknownNameIs404() {
		this.bob.get("/home");
		for (String name : new String[] { Visitor.freshName(), "no%20name", "%3Cb%3E", "a".repeat(31) }) {
			for (String form : new String[] { "/follow", "/unfollow" }) {
				assertThat(this.bob.submit("/@" + name + form).status()).as(name + form).isEqualTo(404);
			}
			for (String page : new String[] { "", "/followers", "/following" }) {
				assertThat(this.bob.get("/@" + name + page).status()).as(name + page).isEqualTo(404);
			}
		}
	}

	@Test
	void theListsTellTheDayOfRegistrationAsTheProfileDoes() {
		String profile = this.bob.get("/@" + this.alice.name()).body();
		String joined = profile.substring(profile.indexOf("Joined "), profile.indexOf("</time>"));
		for (String list : new String[] { "/followers", "/following", "/common" }) {
			assertThat(this.bob.get("/@" + this.alice.name() + list).body()).as(list).contains(joined + "</time>");
		}
	}

	@Test
	void aSignedOutVisitorSignsInAndComesBackToTheProfile() {
		Visitor stranger = Visitor.of(this.site);
		stranger.get("/login");
		for (String form : new String[] { "/follow", "/unfollow" }) {
			Answer answer = stranger.submit("/@" + this.alice.name() + form);
			assertThat(answer.status()).isEqualTo(303);
			assertThat(answer.location()).isEqualTo("/login?next=%2F%40" + this.alice.name());
		}
		assertThat(stranger.get("/@" + this.alice.name()).body()).contains("Log in to follow");
		assertThat(this.site.redis().exists("followers:" + this.alice.id())).isZero();
	}

	@Test
	void followingNeedsTheTokenOfAPage() {
		this.bob.get("/home");
		assertThat(this.bob.submit("/@" + this.alice.name() + "/follow", "_csrf", "x").status()).isEqualTo(403);
		assertThat(this.site.redis().exists("followers:" + this.alice.id())).isZero();
	}

	@Test
	void aProfileShowsWhetherBothUsersFollowEachOther() {
		Visitor carol = Visitor.registered(this.site);
		Visitor dave = Visitor.registered(this.site);
		follow(this.bob, carol);
		follow(this.bob, dave);
		assertThat(this.bob.get("/@" + this.alice.name()).body()).doesNotContain("Follows you", "You both follow",
				"you follow</a></li>");
		follow(this.alice, carol);
		follow(this.alice, dave);
		follow(carol, this.alice);
		follow(this.alice, this.bob);
		assertThat(this.bob.get("/@" + this.alice.name()).body()).contains("<li>Follows you</li>",
				"<li>You both follow 2</li>", "/common\">Followed by @" + carol.name() + ", whom you follow</a></li>");
		follow(dave, this.alice);
		unfollow(this.alice, carol);
		assertThat(this.bob.get("/@" + this.alice.name()).body()).contains("<li>You both follow 1</li>",
				"Followed by @" + carol.name() + " and @" + dave.name() + ", whom you follow</a></li>");
	}

}
