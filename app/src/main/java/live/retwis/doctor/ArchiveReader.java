package live.retwis.doctor;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

import live.retwis.archive.ArchiveAwayException;
import live.retwis.archive.ArchiveSearchIndexRepository;
import live.retwis.archive.ArchivedLikesAndRepliesRepository;
import live.retwis.archive.ArchivedPost;
import live.retwis.archive.ArchivedPostRepository;
import live.retwis.archive.PostArchive;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Reads the archive of old posts in batches, as far as it can be asked. */
@Component
class ArchiveReader {

	/** What the report calls the archived posts of an author, before the author's id. */
	static final String POSTS_OF = "archive of ";

	/** What the report calls an archived list, before its name. */
	static final String LIST = "archived list ";

	/** What the report calls the tags and words of a post, before its id. */
	static final String INDEXED = "archived index of ";

	/** Posts that one statement reads. */
	private static final int BATCH = 500;

	private final PostArchive archive;

	private final ArchivedPostRepository posts;

	private final ArchivedLikesAndRepliesRepository lists;

	private final ArchiveSearchIndexRepository index;

	/** How often the archive could not be asked since this instance has started. */
	private final AtomicLong unanswered = new AtomicLong();

	ArchiveReader(PostArchive archive, ArchivedPostRepository posts, ArchivedLikesAndRepliesRepository lists,
			ArchiveSearchIndexRepository index) {
		this.archive = archive;
		this.posts = posts;
		this.lists = lists;
		this.index = index;
	}

	boolean isUsed() {
		return this.archive.isUsed();
	}

	/** Whether the archive answers now. */
	Mono<Boolean> answers() {
		return this.posts.authorAfter("")
			.thenReturn(true)
			.onErrorResume(ArchiveAwayException.class, (away) -> Mono.just(false));
	}

	/**
	 * All authors, each as the report names them. If the archive does not answer, this
	 * ends with the key at which that is reported.
	 */
	Flux<String> authors() {
		return isUsed()
				? this.posts.authorAfter("")
					.expand(this.posts::authorAfter)
					.map(POSTS_OF::concat)
					.onErrorResume(ArchiveAwayException.class, (away) -> unanswered().thenReturn(Keys.ARCHIVE_SITE))
				: Flux.empty();
	}

	/** All archived lists, each as the report names it. None if the archive is away. */
	Flux<String> lists() {
		return isUsed()
				? this.lists.names("", BATCH)
					.expand((names) -> (names.size() < BATCH) ? Mono.empty()
							: this.lists.names(names.get(names.size() - 1), BATCH))
					.flatMapIterable(Function.identity())
					.map(LIST::concat)
					.onErrorResume(ArchiveAwayException.class, (away) -> unanswered().then(Mono.empty()))
				: Flux.empty();
	}

	/**
	 * All posts whose tags or words the archive has, each as the report names it. None if
	 * the archive is away.
	 */
	Flux<String> indexed() {
		return isUsed()
				? this.index.ids("", BATCH)
					.expand((ids) -> (ids.size() < BATCH) ? Mono.empty()
							: this.index.ids(ids.get(ids.size() - 1), BATCH))
					.flatMapIterable(Function.identity())
					.map(INDEXED::concat)
					.onErrorResume(ArchiveAwayException.class, (away) -> unanswered().then(Mono.empty()))
				: Flux.empty();
	}

	/** Counts something that is not checked because the archive does not answer. */
	Mono<Void> unanswered() {
		return Mono.fromRunnable(this.unanswered::incrementAndGet);
	}

	/** How often {@link #unanswered()} was counted. */
	long unansweredCount() {
		return this.unanswered.get();
	}

	/** All posts of an author, oldest first. Fails when the archive does not answer. */
	Flux<List<ArchivedPost>> postsOf(String author) {
		return page(author, Cursor.START).expand((page) -> {
			ArchivedPost last = page.get(page.size() - 1);
			return (page.size() < BATCH) ? Mono.empty() : page(author, new Cursor(last.committed(), last.id()));
		});
	}

	private Mono<List<ArchivedPost>> page(String author, Cursor after) {
		return this.posts.postsOf(author, after, BATCH).filter((page) -> !page.isEmpty());
	}

	/**
	 * Whether the archive has posts of an author; empty when it cannot be asked.
	 */
	Mono<Boolean> hasPostsOf(String author) {
		return isUsed()
				? this.posts.earliest(author, Cursor.START, 1)
					.map((places) -> !places.isEmpty())
					.onErrorResume(ArchiveAwayException.class, (away) -> unanswered().then(Mono.empty()))
				: Mono.empty();
	}

	/**
	 * A post, if the archive has it. Empty when nobody knows, because the archive does
	 * not answer or no setting names it.
	 */
	Mono<Optional<ArchivedPost>> post(String id) {
		return isUsed()
				? this.archive.findUncached(id)
					.singleOptional()
					.onErrorResume(ArchiveAwayException.class, (away) -> unanswered().then(Mono.empty()))
				: this.archive.isUnnamed().filter((unnamed) -> !unnamed).map((none) -> Optional.empty());
	}

}
