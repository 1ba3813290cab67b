package live.retwis.mention;

import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.annotation.JsonProperty;
import live.retwis.export.ExportPart;
import live.retwis.post.PostListRepository;
import live.retwis.redis.Cursor;
import live.retwis.redis.Keys;
import live.retwis.web.TimeFormat;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** The posts that mention a user or reply to the user; the latest first. */
@Component
class MentionsExport implements ExportPart {

	private final PostListRepository lists;

	MentionsExport(PostListRepository lists) {
		this.lists = lists;
	}

	@Override
	public String name() {
		return "mentions";
	}

	@Override
	public Mono<List<Cursor>> places(String userId, Optional<Cursor> after) {
		return this.lists.newest(Keys.mentions(userId), after, PAGE);
	}

	@Override
	public Mono<List<MentionJson>> items(List<Cursor> places) {
		return Mono.just(places.stream()
			.map((place) -> new MentionJson(place.member(), TimeFormat.iso(place.score())))
			.toList());
	}

	/**
	 * A mention as JSON.
	 *
	 * @param post id of the post
	 * @param mentionedAt ISO 8601 UTC
	 */
	record MentionJson(String post, @JsonProperty("mentioned_at") String mentionedAt) {
	}

}
