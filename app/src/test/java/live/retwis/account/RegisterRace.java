package live.retwis.account;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

import live.retwis.testing.Simultaneous;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many users register one name in three spellings, on two instances.
 */
final class RegisterRace {

	private static final int VISITORS = 24;

	private final Site site;

	private final List<Visitor> visitors;

	RegisterRace(InstancesWithLockNodes instances) {
		this.site = instances.site(0);
		this.visitors = IntStream.range(0, VISITORS)
			.mapToObj((number) -> Visitor.of(instances.site(number / 3)))
			.toList();
		this.visitors.forEach((visitor) -> visitor.get("/register"));
	}

	/** Exactly one user gets the name, and all others read that it is taken. */
	void run() {
		List<Integer> statuses = compete(Visitor.freshName());
		assertThat(statuses).containsOnlyOnce(303).containsOnly(303, 409);
	}

	/**
	 * At most one user gets the name; none if all were asked to come back later.
	 * @return whether a user got the name
	 */
	boolean runWithFaults() {
		List<Integer> statuses = compete(Visitor.freshName());
		assertThat(statuses).containsAnyOf(303, 503).isSubsetOf(303, 409, 503);
		return statuses.contains(303);
	}

	private List<Integer> compete(String fresh) {
		String name = "race_" + fresh;
		List<String> spellings = List.of(name, name.toUpperCase(Locale.ROOT), "Race" + name.substring(4));
		List<Integer> statuses = Simultaneous.times(VISITORS,
				(i) -> this.visitors.get(i).register(spellings.get(i % 3), Visitor.PASSWORD).status());
		List<Integer> winners = IntStream.range(0, VISITORS).filter((i) -> statuses.get(i) == 303).boxed().toList();
		assertThat(winners).hasSizeLessThanOrEqualTo(1);
		winners.forEach((winner) -> check(this.visitors.get(winner), spellings.get(winner % 3)));
		if (winners.isEmpty()) {
			assertThat(usersNamed(name)).isEmpty();
			assertThat(this.site.redis().get("username:" + name)).isNull();
		}
		return statuses;
	}

	private void check(Visitor winner, String spelling) {
		String userId = winner.id();
		assertThat(winner.isSignedIn()).isTrue();
		assertThat(this.site.redis().get("username:" + spelling.toLowerCase(Locale.ROOT))).isEqualTo(userId);
		assertThat(this.site.redis().hgetall("user:" + userId)).containsEntry("username", spelling)
			.containsOnlyKeys("username", "name", "bio", "password", "auth", "created", "state", "active");
		assertThat(usersNamed(spelling)).containsExactly("user:" + userId);
		assertThat(this.site.redis().zscore("users:recent", userId)).isNotNull();
	}

	private List<String> usersNamed(String name) {
		return this.site.keys("user:*")
			.stream()
			.filter((key) -> name.equalsIgnoreCase(this.site.redis().hget(key, "username")))
			.toList();
	}

}
