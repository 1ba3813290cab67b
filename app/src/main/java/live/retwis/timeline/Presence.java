package live.retwis.timeline;

import java.time.Duration;

import live.retwis.account.UserRepository;
import live.retwis.account.VisitListener;
import live.retwis.redis.DataNode;
import live.retwis.redis.Keys;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Who is away: nothing is written for those, and their home timelines go by themselves.
 */
@Component
class Presence implements VisitListener {

	/** A visit is noted when the last one is longer ago than this part of a life. */
	private static final int NOTED = 30;

	private final DataNode data;

	private final UserRepository users;

	private final HomeTimelines timelines;

	Presence(DataNode data, UserRepository users, HomeTimelines timelines) {
		this.data = data;
		this.users = users;
		this.timelines = timelines;
	}

	@Override
	public Duration pause() {
		return this.timelines.life().dividedBy(NOTED);
	}

	/** EXPIRE: the reader's timeline lives on. */
	@Override
	public Mono<Void> visited(String userId) {
		return this.data
			.both((c) -> c.expire(Keys.homeTimeline(userId), this.timelines.life()),
					(c) -> c.expire(Keys.homeWholeFrom(userId), this.timelines.longer()), (there, noted) -> there)
			.then();
	}

	/** Whether the user was here within the life of a timeline. */
	Mono<Boolean> isPresent(String userId) {
		return this.users.lastVisit(userId)
			.map((visit) -> System.currentTimeMillis() - visit < this.timelines.life().toMillis())
			.defaultIfEmpty(false);
	}

}
