package live.retwis.delivery;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

import live.retwis.archive.ArchiveAwayException;
import live.retwis.archive.ArchivedPostRepository;
import live.retwis.archive.LikesAndRepliesArchive;
import live.retwis.archive.PostArchive;
import live.retwis.background.PeriodicTask;
import live.retwis.log.CommitLog;
import live.retwis.redis.Cursor;
import live.retwis.redis.DataClock;
import live.retwis.redis.RedisErrorClassifier;
import live.retwis.timeline.TimelineRepository;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Erases the archived posts of a user who has deleted the account. While the archive is
 * away, the account is noted, and its posts are erased when the archive is back. So the
 * workers need not wait for it.
 */
@Component
class DeletedAccountArchiveEraser extends PeriodicTask {

	private static final Logger logger = LoggerFactory.getLogger(DeletedAccountArchiveEraser.class);

	private static final Duration EVERY = Duration.ofSeconds(30);

	/** Posts processed at once. */
	private static final int PAGE = 500;

	private final TimelineRepository timelines;

	private final PostArchive archive;

	private final ArchivedPostRepository archivedPosts;

	private final LikesAndRepliesArchive archivedLists;

	private final AccountPostEraser eraser;

	private final CommitLog log;

	private final DataClock clock;

	DeletedAccountArchiveEraser(TimelineRepository timelines, PostArchive archive, ArchivedPostRepository archivedPosts,
			LikesAndRepliesArchive archivedLists, AccountPostEraser eraser, CommitLog log, DataClock clock) {
		super(EVERY);
		this.timelines = timelines;
		this.archive = archive;
		this.archivedPosts = archivedPosts;
		this.archivedLists = archivedLists;
		this.eraser = eraser;
		this.log = log;
		this.clock = clock;
	}

	@Override
	public void start() {
		if (this.archive.isUsed()) {
			super.start();
		}
	}

	@Override
	protected Mono<Void> run() {
		return tellAgain().thenMany(this.archive.someClosed().flatMapMany(Flux::fromIterable))
			.concatMap((userId) -> removePage(userId).repeat()
				.takeUntil(Boolean::booleanValue)
				.then(tell(userId))
				.then(this.archive.forgetClosed(userId))
				.onErrorResume((error) -> !RedisErrorClassifier.isAway(error), (error) -> stays(userId, error)))
			.then();
	}

	/**
	 * The account stays noted with a later time, so that it holds up no other one. It is
	 * told of again now, because {@link #tellAgain} looks at that time.
	 */
	private Mono<Void> stays(String userId, Throwable error) {
		logger.error("The archived posts of the deleted account {} cannot be erased. It is tried again in an hour",
				userId, error);
		return tell(userId).then(this.archive.stillClosed(userId));
	}

	/**
	 * The data node and the instances forget deleted accounts after
	 * {@link CommitLog#CLOSED_KNOWN}. While the archive still has posts of such an
	 * account, this tells them again before that time is over.
	 */
	private Mono<Void> tellAgain() {
		return this.clock.millis()
			.flatMapMany((now) -> this.archive.closedBefore(now - CommitLog.CLOSED_KNOWN.toMillis() / 2))
			.flatMapIterable(Function.identity())
			.concatMap((userId) -> tell(userId).then(this.archive.closed(userId)))
			.then();
	}

	/** Also drops the user's posts from the caches of all instances. */
	private Mono<Void> tell(String userId) {
		return this.log.nameFreed(userId, "").then();
	}

	/**
	 * Erases some of the archived posts.
	 * @return whether nothing is left to do here
	 */
	Mono<Boolean> removeSome(String userId) {
		return this.timelines.isArchived(userId)
			.flatMap((archived) -> !archived ? Mono.just(true)
					: removePage(userId)
						.onErrorResume(ArchiveAwayException.class,
								(away) -> this.archive.closed(userId).thenReturn(true))
						.delayUntil((done) -> done ? this.timelines.removeListsOf(userId) : Mono.empty()));
	}

	private Mono<Boolean> removePage(String userId) {
		return this.archivedPosts.earliest(userId, Cursor.START, PAGE).flatMap((page) -> {
			List<String> postIds = page.stream().map(Cursor::member).toList();
			return this.eraser.erase(userId, postIds)
				.then(this.archivedLists.forget(postIds))
				.then(this.archivedPosts.remove(postIds))
				.thenReturn(page.isEmpty());
		});
	}

}
