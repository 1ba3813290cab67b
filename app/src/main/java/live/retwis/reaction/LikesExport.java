package live.retwis.reaction;

import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.annotation.JsonProperty;
import live.retwis.export.ExportPart;
import live.retwis.redis.Cursor;
import live.retwis.web.TimeFormat;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** The posts that a user likes, since when; the latest first. */
@Component
class LikesExport implements ExportPart {

	private final ReactionRepository reactions;

	LikesExport(ReactionRepository reactions) {
		this.reactions = reactions;
	}

	@Override
	public String name() {
		return "likes";
	}

	@Override
	public Mono<List<Cursor>> places(String userId, Optional<Cursor> after) {
		return this.reactions.posts(Reaction.LIKE, userId, after, PAGE);
	}

	@Override
	public Mono<List<LikeJson>> items(List<Cursor> places) {
		return Mono
			.just(places.stream().map((place) -> new LikeJson(place.member(), TimeFormat.iso(place.score()))).toList());
	}

	/**
	 * A like as JSON.
	 *
	 * @param post id of the post
	 * @param likedAt ISO 8601 UTC
	 */
	record LikeJson(String post, @JsonProperty("liked_at") String likedAt) {
	}

}
