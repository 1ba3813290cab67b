package live.retwis.fanout;

import java.time.Duration;

import live.retwis.log.ReplayProperties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Keeps the log from growing: every ten seconds it removes entries that fan-out has done
 * and that no stream can be resumed from any more, and forgets consumers that are gone.
 */
@Component
class LogTrimmer implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(LogTrimmer.class);

	private static final Duration EVERY = Duration.ofSeconds(10);

	private final FanOutQueue queue;

	private final FanOutTaskQueue tasks;

	private final ReplayProperties properties;

	private @Nullable Disposable trimming;

	LogTrimmer(FanOutQueue queue, FanOutTaskQueue tasks, ReplayProperties properties) {
		this.queue = queue;
		this.tasks = tasks;
		this.properties = properties;
	}

	private Mono<Void> trim() {
		return Mono.defer(() -> this.queue.trim(this.properties.replay(), this.properties.replayEntries()))
			.then(this.queue.dropConsumers())
			.then(this.tasks.dropConsumers())
			.onErrorResume((error) -> {
				log.debug("The log is trimmed later: {}", error.toString());
				return Mono.empty();
			});
	}

	@Override
	public void start() {
		this.trimming = Flux.interval(EVERY).onBackpressureDrop().concatMap((tick) -> trim(), 1).subscribe();
	}

	@Override
	public void stop() {
		if (this.trimming != null) {
			this.trimming.dispose();
			this.trimming = null;
		}
	}

	@Override
	public boolean isRunning() {
		return this.trimming != null;
	}

}
