package live.retwis.xray;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import live.retwis.redis.Keys;
import org.jspecify.annotations.Nullable;

/**
 * The first elements of a key, for the picture of its type.
 *
 * @param look what a look at the key told
 * @param members of a sorted set, with their scores, highest first
 * @param fields of a hash
 * @param elements of a list
 * @param text beginning of a string; null for other types
 * @param entries of a stream, newest first
 * @param groups consumer groups of a stream
 */
record KeyPreview(KeyMetadata look, List<PairView> members, List<PairView> fields, List<String> elements,
		@Nullable String text, List<EntryView> entries, List<GroupView> groups) {

	/**
	 * Log entries that everybody may see. Others tell what users keep private, or have
	 * taken back.
	 */
	private static final Set<String> PUBLIC_ENTRIES = Set.of("start", "post", "delete", "follow", "like", "counts",
			"recounted", "profile");

	/** Most characters of one value. */
	private static final int LONGEST = 500;

	private static final String GROUP = "group";

	private static final int GROUP_FACTS = 5;

	/** Reads the answer of {@code read-key.lua}. */
	static KeyPreview of(KeyMetadata look, List<String> answer, Optional<String> viewerId) {
		return switch (look.type()) {
			case "zset" -> new KeyPreview(look, pairs(answer), List.of(), List.of(), null, List.of(), List.of());
			case "hash" -> new KeyPreview(look, List.of(), fields(look.key(), pairs(answer), viewerId), List.of(), null,
					List.of(), List.of());
			case "list" -> new KeyPreview(look, List.of(), List.of(), answer, null, List.of(), List.of());
			case "stream" -> stream(look, answer);
			default -> new KeyPreview(look, List.of(), List.of(), List.of(), answer.isEmpty() ? "" : answer.get(0),
					List.of(), List.of());
		};
	}

	private static List<PairView> pairs(List<String> answer) {
		List<PairView> pairs = new ArrayList<>();
		for (int i = 0; i + 1 < answer.size(); i += 2) {
			pairs.add(new PairView(answer.get(i), shortened(answer.get(i + 1))));
		}
		return pairs;
	}

	private static String shortened(String text) {
		return (text.length() <= LONGEST) ? text : text.substring(0, LONGEST) + Redaction.BLANK;
	}

	/** The fields of a hash, without the secret ones' values. */
	private static List<PairView> fields(String key, List<PairView> fields, Optional<String> viewerId) {
		boolean own = viewerId.map(Keys::user).filter(key::equals).isPresent();
		boolean records = key.startsWith(Keys.user("")) || key.startsWith(Keys.post(""));
		return fields.stream()
			.map((field) -> (records && (KeyVisibilityRule.SECRET_FIELDS.contains(field.name())
					|| (!own && KeyVisibilityRule.OWN_FIELDS.contains(field.name()))))
							? new PairView(field.name(), Redaction.BLANK) : field)
			.toList();
	}

	private static KeyPreview stream(KeyMetadata look, List<String> answer) {
		List<EntryView> entries = new ArrayList<>();
		List<GroupView> groups = new ArrayList<>();
		int i = 0;
		while (i < answer.size()) {
			if (answer.get(i).equals(GROUP)) {
				groups.add(new GroupView(answer.get(i + 1), answer.get(i + 2), answer.get(i + 3), answer.get(i + 4)));
				i += GROUP_FACTS;
			}
			else {
				int texts = Integer.parseInt(answer.get(i + 1));
				entries.add(EntryView.of(answer.get(i), pairs(answer.subList(i + 2, i + 2 + texts))));
				i += 2 + texts;
			}
		}
		return new KeyPreview(look, List.of(), List.of(), List.of(), null, entries, groups);
	}

	/** A member with its score, or a field with its value. */
	record PairView(String name, String content) {
	}

	/** An entry of a stream. It may name words of a text that has been deleted since. */
	record EntryView(String id, List<PairView> texts) {

		static EntryView of(String id, List<PairView> texts) {
			boolean open = texts.stream()
				.anyMatch((text) -> text.name().equals("type") && PUBLIC_ENTRIES.contains(text.content()));
			return new EntryView(id,
					!open ? List.of(new PairView(Redaction.BLANK, Redaction.BLANK)) : texts.stream()
						.map((text) -> text.name().equals("facts") ? new PairView("facts", Redaction.BLANK) : text)
						.toList());
		}

	}

	/** A consumer group: how many consumers, how many pending entries, and its place. */
	record GroupView(String group, String consumers, String pending, String last) {
	}

}
