package live.retwis.tag;

import java.util.List;
import java.util.Optional;

import live.retwis.archive.ArchiveSearchIndex;
import live.retwis.fanout.PendingFanOutIndex;
import live.retwis.log.InstanceLogPosition;
import live.retwis.log.LogPosition;
import live.retwis.post.PostListPage;
import live.retwis.post.PostListRepository;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.restriction.HiddenAuthors;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Reads pages of the posts that have a tag. */
@Component
class TagPageReader {

	private final PostListRepository lists;

	private final PendingFanOutIndex unfinished;

	private final InstanceLogPosition heard;

	private final ArchiveSearchIndex archive;

	TagPageReader(PostListRepository lists, PendingFanOutIndex unfinished, InstanceLogPosition heard,
			ArchiveSearchIndex archive) {
		this.lists = lists;
		this.unfinished = unfinished;
		this.heard = heard;
		this.archive = archive;
	}

	/** Whether there is an archive, which older pages may ask. */
	boolean isArchiveUsed() {
		return this.archive.isUsed();
	}

	/**
	 * A page, newest first. Posts that no worker has added to the list are on it too.
	 * Where the list ends, those in the archive follow.
	 * @param hidden whose posts the viewer does not see
	 */
	Mono<TagPage> read(String tag, Optional<Cursor> before, int count, Mono<HiddenAuthors> hidden) {
		return this.heard.position().flatMap((position) -> {
			List<Cursor> missing = this.unfinished.postsWith(tag);
			return this.lists
				.page(Keys.tag(tag), before, count, missing, hidden, (most) -> this.archive.tagged(tag, before, most))
				.map((posts) -> new TagPage(posts, position));
		});
	}

	/**
	 * A page.
	 *
	 * @param posts its posts
	 * @param position the page has every post up to this position
	 */
	record TagPage(PostListPage posts, LogPosition position) {
	}

}
