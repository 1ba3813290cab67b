package live.retwis.learn;

import java.util.List;

/**
 * A reply of Redis.
 *
 * @param type the first character of the reply: {@code +} a status, {@code -} an error,
 * {@code :} a number, {@code $} a text, {@code *} a list, {@code _} nothing
 * @param value the status, error, number or text; empty for a list and for nothing
 * @param elements of a list
 */
record RespReply(char type, String value, List<RespReply> elements) {

	/** The reply that Redis gives when there is nothing. */
	static final RespReply NOTHING = new RespReply('_', "", List.of());

	static RespReply of(char type, String value) {
		return new RespReply(type, value, List.of());
	}

	/** The number that the value is. */
	long number() {
		return Long.parseLong(this.value);
	}

	/** The reply as redis-cli prints it. The elements of a list have a line each. */
	String text() {
		return text("");
	}

	private String text(String indent) {
		return switch (this.type) {
			case '+' -> this.value;
			case '-' -> "(error) " + this.value;
			case ':' -> "(integer) " + this.value;
			case '$' -> quoted(this.value);
			case '*' -> list(indent);
			default -> "(nil)";
		};
	}

	private String list(String indent) {
		if (this.elements.isEmpty()) {
			return "(empty array)";
		}
		StringBuilder lines = new StringBuilder();
		for (int i = 0; i < this.elements.size(); i++) {
			String number = (i + 1) + ") ";
			lines.append((i == 0) ? "" : "\n" + indent)
				.append(number)
				.append(this.elements.get(i).text(indent + " ".repeat(number.length())));
		}
		return lines.toString();
	}

	/** A text in quotation marks, with one line for all. */
	static String quoted(String text) {
		return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
	}

}
