package live.retwis.learn;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;

import live.retwis.redis.RandomTokens;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Plays experiments, one at a time, on a thread of its own. Up to three more wait, one
 * for each user, so that nobody takes all places. Each has servers of its own, which end
 * with it, so between experiments no server runs. When the instance stops, the experiment
 * under way ends with its servers.
 */
@Component
class ExperimentRunner implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(ExperimentRunner.class);

	/** The one that is played, and those that wait. */
	private static final int MOST = 4;

	private final RecentTranscripts transcripts;

	private final Semaphore places = new Semaphore(MOST);

	/** Who has a place. */
	private final Set<String> owners = ConcurrentHashMap.newKeySet();

	private @Nullable ExecutorService player;

	private @Nullable ExperimentContext context;

	ExperimentRunner(RecentTranscripts transcripts) {
		this.transcripts = transcripts;
	}

	/**
	 * Plays the experiment of a chapter. It goes on if the request that wants it is
	 * cancelled.
	 * @param owner id of the user who wants it
	 * @return what happened, which is kept in {@link RecentTranscripts}, too; empty when
	 * too many wait already, or one of the same user, or when the instance is stopping
	 */
	Mono<Transcript> play(Chapter chapter, String owner) {
		return Mono.defer(() -> {
			ExecutorService thread = player();
			if (thread == null || !takePlace(owner)) {
				return Mono.empty();
			}
			try {
				return Mono.fromFuture(CompletableFuture.supplyAsync(() -> playNow(chapter, owner), thread), true);
			}
			catch (RejectedExecutionException ex) {
				leavePlace(owner);
				return Mono.empty();
			}
		});
	}

	private boolean takePlace(String owner) {
		if (!this.owners.add(owner)) {
			return false;
		}
		if (!this.places.tryAcquire()) {
			this.owners.remove(owner);
			return false;
		}
		return true;
	}

	private void leavePlace(String owner) {
		this.owners.remove(owner);
		this.places.release();
	}

	private synchronized @Nullable ExecutorService player() {
		return this.player;
	}

	private Transcript playNow(Chapter chapter, String owner) {
		try (ExperimentContext played = open()) {
			boolean complete = complete(chapter, played);
			Transcript transcript = new Transcript(RandomTokens.ofBits(128), chapter.name(), owner, played.steps(),
					complete);
			this.transcripts.keep(transcript);
			return transcript;
		}
		finally {
			leavePlace(owner);
		}
	}

	private static boolean complete(Chapter chapter, ExperimentContext context) {
		try {
			chapter.experiment().play(context);
			return true;
		}
		catch (IOException | RuntimeException ex) {
			logger.warn("The experiment of the chapter {} broke off after {} steps", chapter.name(),
					context.steps().size(), ex);
			return false;
		}
	}

	/**
	 * The context is known before it has a server, so that a stop finds it. It is made
	 * outside of the monitor, because that takes time.
	 */
	private ExperimentContext open() {
		ExperimentContext opened = new ExperimentContext();
		if (!register(opened)) {
			opened.close();
			throw new IllegalStateException("The instance is stopping");
		}
		return opened;
	}

	/** Returns false when the instance is stopping. */
	private synchronized boolean register(ExperimentContext opened) {
		this.context = opened;
		return this.player != null;
	}

	@Override
	public synchronized void start() {
		this.player = Executors.newSingleThreadExecutor((task) -> {
			Thread thread = new Thread(task, "learn-experiments");
			thread.setDaemon(true);
			return thread;
		});
	}

	@Override
	public void stop(Runnable done) {
		ExecutorService thread = player();
		if (thread == null) {
			done.run();
			return;
		}
		ExperimentContext last = end();
		thread.execute(done);
		thread.shutdown();
		if (last != null) {
			last.close();
		}
	}

	private synchronized @Nullable ExperimentContext end() {
		this.player = null;
		return this.context;
	}

	@Override
	public void stop() {
		stop(() -> {
			// Nothing waits for the experiment here.
		});
	}

	@Override
	public synchronized boolean isRunning() {
		return this.player != null;
	}

	/** Stops before the web server, which would wait for the request of an experiment. */
	@Override
	public int getPhase() {
		return SmartLifecycle.DEFAULT_PHASE - 1;
	}

}
