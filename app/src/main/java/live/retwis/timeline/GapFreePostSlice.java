package live.retwis.timeline;

import java.util.List;
import java.util.stream.Stream;

import live.retwis.redis.Cursor;
import org.jspecify.annotations.Nullable;

/**
 * The newest of an author's posts that are pushed.
 *
 * @param places newest first
 * @param from the place down to which no pushed post is missing; null when the author has
 * no older ones
 */
record GapFreePostSlice(List<Cursor> places, @Nullable Cursor from) {

	/** These posts and the older ones that follow them. */
	GapFreePostSlice with(GapFreePostSlice older) {
		return new GapFreePostSlice(Stream.concat(this.places.stream(), older.places().stream()).toList(),
				older.from());
	}

}
