package live.retwis.post;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * All counts of one post.
 *
 * @param byName each count by its {@link PostCount#field() field}
 */
public record PostCounts(Map<String, Long> byName) {

	private static final JsonMapper JSON = new JsonMapper();

	/** The fields of all counts, in the order of {@link PostCount}. */
	static List<String> fields() {
		return Stream.of(PostCount.values()).map(PostCount::field).toList();
	}

	/** The counts from the values of {@link #fields()}; null is 0. */
	static PostCounts of(List<@Nullable String> values) {
		Map<String, Long> counts = new LinkedHashMap<>();
		for (PostCount count : PostCount.values()) {
			String value = values.get(count.ordinal());
			counts.put(count.field(), (value != null) ? Long.parseLong(value) : 0L);
		}
		return new PostCounts(counts);
	}

	/** The counts from the facts of a log entry; a count that is missing there is 0. */
	static PostCounts of(String facts) {
		JsonNode json = JSON.readTree(facts);
		return new PostCounts(Stream.of(PostCount.values())
			.collect(Collectors.toMap(PostCount::field, (count) -> json.path(count.field()).asLong(0),
					(one, other) -> one, LinkedHashMap::new)));
	}

	/** The facts of a log entry: JSON without spaces. */
	String facts(String postId) {
		return this.byName.entrySet()
			.stream()
			.map((count) -> "\"" + count.getKey() + "\":" + count.getValue())
			.collect(Collectors.joining(",", "{\"post\":\"" + postId + "\",", "}"));
	}

}
