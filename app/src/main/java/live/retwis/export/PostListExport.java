package live.retwis.export;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

import live.retwis.redis.Cursor;
import live.retwis.web.TimeFormat;
import reactor.core.publisher.Mono;

/**
 * A list of posts, each with the time since when it is in the list. The latest comes
 * first.
 *
 * @param name name of the list in the file
 * @param timeField name of the time, which is ISO 8601 UTC
 * @param list reads a page of a user's list, after a place
 */
public record PostListExport(String name, String timeField,
		BiFunction<String, Optional<Cursor>, Mono<List<Cursor>>> list) implements ExportPart {

	@Override
	public Mono<List<Cursor>> places(String userId, Optional<Cursor> after) {
		return this.list.apply(userId, after);
	}

	@Override
	public Mono<List<Map<String, String>>> items(List<Cursor> places) {
		return Mono.just(places.stream().map(this::item).toList());
	}

	private Map<String, String> item(Cursor place) {
		Map<String, String> item = new LinkedHashMap<>();
		item.put("post", place.member());
		item.put(this.timeField, TimeFormat.iso(place.score()));
		return item;
	}

}
