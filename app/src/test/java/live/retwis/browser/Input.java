package live.retwis.browser;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import live.retwis.browser.RemoteValues.Node;

/**
 * A mouse and a keyboard. The browser treats their events like a user's own, with focus,
 * default actions and form submission. A script's {@code click()} leaves out some of
 * this.
 */
final class Input {

	private final BidiConnection connection;

	private final String context;

	Input(BidiConnection connection, String context) {
		this.connection = connection;
		this.context = context;
	}

	/** Presses the left button in the middle of the element, which must be in view. */
	void click(Node node) {
		perform("pointer",
				List.of(Map.of("type", "pointerMove", "x", 0, "y", 0, "origin",
						Map.of("type", "element", "element", RemoteValues.of(node))),
						Map.of("type", "pointerDown", "button", 0), Map.of("type", "pointerUp", "button", 0)));
	}

	/**
	 * Types into the focused element. A line feed is the Enter key. A character that
	 * consists of many code points, such as a family emoji, takes several keys, because a
	 * key in Chromium holds only a few.
	 */
	void type(String text) {
		List<Map<String, ?>> actions = text.codePoints()
			.mapToObj(Character::toString)
			.map((character) -> character.equals("\n") ? Key.ENTER.value() : character)
			.<Map<String, ?>>mapMulti((key, next) -> {
				next.accept(Map.of("type", "keyDown", "value", key));
				next.accept(Map.of("type", "keyUp", "value", key));
			})
			.toList();
		perform("key", actions);
	}

	/** Chooses a file in a field for files, as the browser's own dialog does. */
	void choose(Node field, Path file) {
		this.connection.send("input.setFiles", Map.of("context", this.context, "element", RemoteValues.of(field),
				"files", List.of(file.toAbsolutePath().toString())));
	}

	private void perform(String device, List<? extends Map<String, ?>> actions) {
		this.connection.send("input.performActions", Map.of("context", this.context, "actions",
				List.of(Map.of("type", device, "id", device, "actions", actions))));
	}

	/** Keys without a character. */
	enum Key {

		ENTER("\uE007"), TAB("\uE004"), ESCAPE("\uE00C"), DELETE("\uE017");

		private final String value;

		Key(String value) {
			this.value = value;
		}

		/** The code point of this key in the WebDriver standard. */
		String value() {
			return this.value;
		}

	}

}
