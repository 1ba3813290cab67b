package live.retwis.timeline;

import java.time.Duration;
import java.util.List;

import live.retwis.archive.ArchiveAwayException;
import live.retwis.archive.ArchivedLikesAndReplies;
import live.retwis.archive.ArchivedPostRepository;
import live.retwis.archive.PostArchive;
import live.retwis.background.PeriodicTask;
import live.retwis.redis.Cursor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Erases the archived posts of a user who has deleted the account. While the archive is
 * away, the account is noted, and its posts are erased when the archive is back. So the
 * workers need not wait for it.
 */
@Component
class ArchivedPostsEraser extends PeriodicTask {

	private static final Duration EVERY = Duration.ofSeconds(30);

	/** Posts processed at once. */
	private static final int PAGE = 500;

	private final TimelineRepository timelines;

	private final PostArchive archive;

	private final ArchivedPostRepository archivedPosts;

	private final ArchivedLikesAndReplies archivedLists;

	private final AccountPostEraser eraser;

	ArchivedPostsEraser(TimelineRepository timelines, PostArchive archive, ArchivedPostRepository archivedPosts,
			ArchivedLikesAndReplies archivedLists, AccountPostEraser eraser) {
		super(EVERY);
		this.timelines = timelines;
		this.archive = archive;
		this.archivedPosts = archivedPosts;
		this.archivedLists = archivedLists;
		this.eraser = eraser;
	}

	@Override
	public void start() {
		if (this.archive.isUsed()) {
			super.start();
		}
	}

	@Override
	protected Mono<Void> run() {
		return this.archive.someClosed()
			.flatMapMany(Flux::fromIterable)
			.concatMap((userId) -> removePage(userId).repeat()
				.takeUntil(Boolean::booleanValue)
				.then(this.archive.forgetClosed(userId)))
			.then();
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
