package live.retwis.timeline;

import java.util.List;
import java.util.stream.Stream;

import live.retwis.redis.Cursor;
import org.jspecify.annotations.Nullable;

/**
 * The newest posts of one author or of several.
 *
 * @param places newest first
 * @param from the place down to which none of their posts is missing; null when there are
 * no older ones
 */
public record NewestPostRange(List<Cursor> places, @Nullable Cursor from) {

	/** These posts and the older ones that follow them. */
	NewestPostRange with(NewestPostRange older) {
		return new NewestPostRange(Stream.concat(this.places.stream(), older.places().stream()).toList(), older.from());
	}

}
