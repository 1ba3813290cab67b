package live.retwis.importing;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The layout with texts and sets: {@code uid:N:username}, {@code uid:N:password},
 * {@code uid:N:followers}, {@code uid:N:following}, and {@code post:N} with
 * {@code author|time|body}. Its counters are {@code global:nextUserId} and
 * {@code global:nextPostId}. It does not know when somebody registered or followed
 * somebody.
 */
class Layout2011 implements RetwisLayout {

	private static final int PARTS = 3;

	private final RetwisKeyReader keys;

	Layout2011(RetwisKeyReader keys) {
		this.keys = keys;
	}

	@Override
	public int year() {
		return 2011;
	}

	@Override
	public Mono<HighestSourceNumbers> given() {
		return this.keys.given("global:nextUserId", "global:nextPostId");
	}

	@Override
	public Flux<Long> users() {
		return this.keys.numbers("uid:");
	}

	@Override
	public Mono<RetwisUser> user(long number) {
		String user = "uid:" + number;
		return this.keys.values(user + ":username", user + ":password")
			.map((values) -> new RetwisUser(number, values.get(0), values.get(1), ""));
	}

	@Override
	public Flux<Long> followLists() {
		return users();
	}

	@Override
	public Flux<RetwisFollow> followers(long number) {
		return this.keys.members("uid:" + number + ":followers")
			.map((follower) -> new RetwisFollow(follower, Long.toString(number), ""));
	}

	@Override
	public Flux<RetwisFollow> following(long number) {
		return this.keys.members("uid:" + number + ":following")
			.map((followed) -> new RetwisFollow(Long.toString(number), followed, ""));
	}

	@Override
	public Mono<Boolean> isListedAsFollower(RetwisFollow follow) {
		return this.keys.isMember("uid:" + follow.followed() + ":followers", follow.follower());
	}

	@Override
	public Flux<RetwisPost> posts() {
		return this.keys.numbers("post:")
			.flatMap((number) -> this.keys.values("post:" + number).map((values) -> post(number, values.get(0))),
					READ_AT_ONCE);
	}

	static RetwisPost post(long number, String stored) {
		String[] parts = stored.split("\\|", PARTS);
		return (parts.length == PARTS) ? new RetwisPost(number, parts[0], parts[1], parts[2])
				: new RetwisPost(number, "", "", "");
	}

}
