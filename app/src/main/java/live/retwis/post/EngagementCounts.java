package live.retwis.post;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * All counts of one post.
 *
 * @param byName each count by its {@link PostCountType#field() field}
 */
public record EngagementCounts(Map<String, Long> byName) {

	private static final JsonMapper JSON = new JsonMapper();

	private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

	/** The fields of all counts, in the order of {@link PostCountType}. */
	static List<String> fields() {
		return Stream.of(PostCountType.values()).map(PostCountType::field).toList();
	}

	/**
	 * The counts among the fields of a post; what is missing is 0, and so is what is no
	 * number.
	 */
	static EngagementCounts of(Map<String, String> fields) {
		Map<String, Long> counts = new LinkedHashMap<>();
		for (PostCountType count : PostCountType.values()) {
			String value = fields.getOrDefault(count.field(), "");
			counts.put(count.field(), NUMBER.matcher(value).matches() ? Long.parseLong(value) : 0L);
		}
		return new EngagementCounts(counts);
	}

	/** The counts from the facts of a log entry; a count that is missing there is 0. */
	static EngagementCounts of(String facts) {
		JsonNode json = JSON.readTree(facts);
		return new EngagementCounts(Stream.of(PostCountType.values())
			.collect(Collectors.toMap(PostCountType::field, (count) -> json.path(count.field()).asLong(0),
					(one, other) -> one, LinkedHashMap::new)));
	}

	/** One of the counts. */
	public long get(PostCountType type) {
		return this.byName.getOrDefault(type.field(), 0L);
	}

	/** The facts of a log entry: JSON without spaces. */
	String facts(String postId) {
		return this.byName.entrySet()
			.stream()
			.map((count) -> "\"" + count.getKey() + "\":" + count.getValue())
			.collect(Collectors.joining(",", "{\"post\":\"" + postId + "\",", "}"));
	}

}
