package live.retwis.browser;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Converts values between JavaScript and Java.
 */
final class RemoteValues {

	private static final JsonMapper JSON = JsonMapper.builder().build();

	private RemoteValues() {
	}

	/** A node of the page, with the id that the browser gave it. */
	record Node(String sharedId) {
	}

	/** An argument for a function in the page. */
	static Map<String, Object> of(Object value) {
		if (value instanceof Node node) {
			return Map.of("sharedId", node.sharedId());
		}
		if (value instanceof Number) {
			return Map.of("type", "number", "value", value);
		}
		if (value instanceof Boolean) {
			return Map.of("type", "boolean", "value", value);
		}
		return Map.of("type", "string", "value", value.toString());
	}

	/** A string literal for a script. */
	static String quote(String text) {
		return JSON.writeValueAsString(text);
	}

	/**
	 * The result of a function in the page: a string, number, boolean, list, map or node;
	 * {@code null} for {@code null} and {@code undefined}.
	 */
	static @Nullable Object toJava(JsonNode remote) {
		JsonNode value = remote.path("value");
		String type = remote.path("type").asString();
		return switch (type) {
			case "null", "undefined" -> null;
			case "string" -> value.asString();
			case "boolean" -> value.asBoolean();
			case "number" -> number(value);
			case "array" -> list(value);
			case "object" -> map(value);
			case "node" -> new Node(remote.path("sharedId").asString());
			default -> throw new IllegalArgumentException("A value of the page that Java has no match for: " + remote);
		};
	}

	/** {@code NaN}, {@code -0} and the infinities are sent as strings. */
	private static Number number(JsonNode value) {
		if (value.isIntegralNumber()) {
			return value.asLong();
		}
		return value.isString() ? Double.valueOf(value.asString()) : Double.valueOf(value.asDouble());
	}

	private static List<@Nullable Object> list(JsonNode values) {
		List<@Nullable Object> list = new ArrayList<>();
		values.forEach((value) -> list.add(toJava(value)));
		return list;
	}

	private static Map<String, @Nullable Object> map(JsonNode entries) {
		Map<String, @Nullable Object> map = new LinkedHashMap<>();
		entries.forEach((entry) -> map.put(entry.get(0).asString(), toJava(entry.get(1))));
		return map;
	}

}
