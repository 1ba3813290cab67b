package live.retwis.fanout;

import java.time.Duration;
import java.util.List;

import live.retwis.redis.DataNode;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

import org.springframework.stereotype.Component;

/**
 * Instances of a release whose home timelines have other names, while an upgrade replaces
 * them one by one. As long as one works through the log, all do that and nobody else, so
 * that its readers miss nothing; and no timeline of ours begins, since it would miss what
 * they do. Our readers get their pages from the lists of the authors meanwhile.
 */
@Component
public class UpgradeGate {

	private static final Logger log = LoggerFactory.getLogger(UpgradeGate.class);

	private static final LuaScript OLDER_RELEASE = LuaScript.named("older-release");

	/** Who works renews his claims every ten seconds. */
	private static final Duration UNSEEN = Duration.ofSeconds(30);

	private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

	private final DataNode data;

	/** An upgrade replaces each instance once. */
	private volatile boolean gone;

	UpgradeGate(DataNode data) {
		this.data = data;
	}

	/** {@code older-release.lua}, until none is at work. */
	public Mono<Boolean> isAtWork() {
		return this.gone ? Mono.just(false)
				: this.data
					.run(OLDER_RELEASE, List.of(Keys.LOG), ConsumerGroup.NAME, ConsumerGroup.MARK,
							Long.toString(UNSEEN.toMillis()))
					.map((answer) -> answer.get(0).equals("1"))
					.onErrorResume(ConsumerGroup::isNoGroup, (none) -> Mono.just(false))
					.doOnNext((atWork) -> this.gone = !atWork);
	}

	/** Ends when none is at work any more. */
	Mono<Void> awaitGone() {
		return Mono.defer(this::isAtWork)
			.retryWhen(Retry.fixedDelay(Long.MAX_VALUE, LOOK_EVERY))
			.repeatWhen((again) -> again.delayElements(LOOK_EVERY))
			.takeWhile(Boolean::booleanValue)
			.distinct()
			.doOnNext((atWork) -> log.info("An older release fills the home timelines; this one waits for its end"))
			.then();
	}

}
