package live.retwis.fanout;

import java.time.Duration;

import live.retwis.background.PeriodicTask;
import live.retwis.log.LogRetentionProperties;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/**
 * Keeps the log from growing without bound. Every ten seconds it removes entries that
 * fan-out has processed and that are too old to resume a stream from. It also removes
 * consumers that are gone. Short-lived commands, which have settings of their own, leave
 * that to the site.
 */
@Component
@ConditionalOnProperty(name = "retwis.fan-out.worker", matchIfMissing = true)
class LogTrimmer extends PeriodicTask {

	private static final Duration EVERY = Duration.ofSeconds(10);

	private final FanOutQueue queue;

	private final FanOutTaskQueue tasks;

	private final PostponedEntryQueue postponed;

	private final LogRetentionProperties properties;

	LogTrimmer(FanOutQueue queue, FanOutTaskQueue tasks, PostponedEntryQueue postponed,
			LogRetentionProperties properties) {
		super(EVERY);
		this.queue = queue;
		this.tasks = tasks;
		this.postponed = postponed;
		this.properties = properties;
	}

	@Override
	protected Mono<Void> run() {
		return this.queue.trim(this.properties.replay(), this.properties.logEntries())
			.then(this.queue.dropConsumers())
			.then(this.tasks.dropConsumers())
			.then(this.postponed.dropConsumers());
	}

}
