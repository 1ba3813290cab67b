package live.retwis.follow;

import java.util.List;

import live.retwis.testing.Answer;
import live.retwis.testing.Simultaneous;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FollowLimitTests {

	@Test
	void followingPastTheLimitGets422UntilAnUnfollow() {
		try (Site site = Site.another("--retwis.follow.limit=2")) {
			Visitor follower = Visitor.registered(site);
			List<Visitor> others = List.of(Visitor.registered(site), Visitor.registered(site), Visitor.registered(site),
					Visitor.registered(site));
			follower.follow(others.get(0));
			follower.follow(others.get(1));
			Answer refused = follower.submit("/@" + others.get(2).name() + "/follow");
			assertThat(refused.status()).isEqualTo(422);
			assertThat(refused.body()).contains("You follow 2 users, which is the limit. Unfollow somebody first.");
			assertThat(follower.submit("/@" + others.get(1).name() + "/follow").status()).isEqualTo(303);
			assertThat(site.redis().exists("followers:" + others.get(2).id())).isZero();

			assertThat(follower.submit("/@" + others.get(0).name() + "/unfollow").status()).isEqualTo(303);
			List<Integer> answers = Simultaneous.times(8,
					(i) -> follower.submit("/@" + others.get(2 + i % 2).name() + "/follow").status());
			assertThat(answers).containsOnly(303, 422);
			assertThat(site.redis().zcard("following:" + follower.id())).isEqualTo(2);
		}
	}

}
