package live.retwis.importing;

import java.util.List;

import live.retwis.archive.ArchivedPostRepository;
import live.retwis.archive.ArchivedRepost;
import live.retwis.redis.Cursor;
import live.retwis.repost.RepostRepository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Makes the lists of who reposts an archived post, after Redis has lost its data. The
 * archive has the reposts, but not these lists. It can be repeated.
 */
@Component
class ArchivedRepostRestore {

	/** Before all posts. */
	private static final Cursor BEGINNING = new Cursor(0, "");

	/** Reposts read at once. */
	private static final int BATCH = 500;

	/** Reposts added at the same time. */
	private static final int CONCURRENCY = 16;

	private final ArchivedPostRepository posts;

	private final RepostRepository reposts;

	ArchivedRepostRestore(ArchivedPostRepository posts, RepostRepository reposts) {
		this.posts = posts;
		this.reposts = reposts;
	}

	/**
	 * Goes through all archived reposts of archived posts, author by author, and counts
	 * those of each post.
	 * @return how many reposts there were
	 */
	Mono<Long> run() {
		return this.posts.authorAfter("")
			.expand(this.posts::authorAfter)
			.concatMap(this::reposts, 1)
			.concatMap((batch) -> add(batch).thenReturn(batch.size()), 1)
			.reduce(0L, Long::sum);
	}

	private Flux<List<ArchivedRepost>> reposts(String author) {
		return this.posts.reposts(author, BEGINNING, BATCH)
			.expand((batch) -> (batch.size() < BATCH) ? Mono.empty()
					: this.posts.reposts(author, batch.get(batch.size() - 1).place(), BATCH));
	}

	private Mono<Void> add(List<ArchivedRepost> batch) {
		return Flux.fromIterable(batch)
			.flatMap((one) -> this.reposts.add(one.original(), one.author(), one.id()), CONCURRENCY)
			.thenMany(Flux.fromIterable(batch))
			.map(ArchivedRepost::original)
			.distinct()
			.concatMap((original) -> this.reposts.count(original)
				.flatMap((count) -> this.posts.setCountInBackground(original, "reposts", count)))
			.then();
	}

}
