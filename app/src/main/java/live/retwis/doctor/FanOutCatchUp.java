package live.retwis.doctor;

import java.time.Duration;
import java.util.function.Consumer;

import live.retwis.fanout.FanOutQueue;
import live.retwis.log.CommitLog;
import live.retwis.log.LogPosition;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Waits until fan-out has processed every entry that is in the log now. */
@Component
class FanOutCatchUp {

	private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

	private final CommitLog log;

	private final FanOutQueue queue;

	FanOutCatchUp(CommitLog log, FanOutQueue queue) {
		this.log = log;
		this.queue = queue;
	}

	/** Waits for fan-out. Entries that are added meanwhile are not waited for. */
	Mono<Void> await(Consumer<String> progress) {
		return this.log.head().flatMap((head) -> isDone(head).flatMap((done) -> {
			if (done) {
				return Mono.empty();
			}
			progress.accept("Waiting for the timelines to be up to date");
			return isDone(head).repeatWhen((again) -> again.delayElements(LOOK_AGAIN))
				.takeUntil(Boolean::booleanValue)
				.then();
		}));
	}

	private Mono<Boolean> isDone(LogPosition head) {
		return this.queue.isDoneUpTo(head);
	}

}
