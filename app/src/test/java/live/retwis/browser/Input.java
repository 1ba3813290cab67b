package live.retwis.browser;

import java.util.List;
import java.util.Map;

import live.retwis.browser.RemoteValues.Node;

/**
 * A mouse and a keyboard. The browser takes their events for a user's own, with focus,
 * default actions and form submission, which a script's {@code click()} skips in part.
 */
final class Input {

	private final BidiConnection connection;

	private final String context;

	Input(BidiConnection connection, String context) {
		this.connection = connection;
		this.context = context;
	}

	/**
	 * Presses the left button in the middle of the element, which must be in view.
	 */
	void click(Node node) {
		perform("pointer",
				List.of(Map.of("type", "pointerMove", "x", 0, "y", 0, "origin",
						Map.of("type", "element", "element", RemoteValues.of(node))),
						Map.of("type", "pointerDown", "button", 0), Map.of("type", "pointerUp", "button", 0)));
	}

	/**
	 * Types into what has the focus; a line feed is the Enter key. What a reader takes
	 * for one character but is made of many, such as a family, takes as many keys, as
	 * Chromium's have room for few.
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

	private void perform(String device, List<? extends Map<String, ?>> actions) {
		this.connection.send("input.performActions", Map.of("context", this.context, "actions",
				List.of(Map.of("type", device, "id", device, "actions", actions))));
	}

	/**
	 * Keys that have no character.
	 */
	enum Key {

		ENTER("\uE007"), TAB("\uE004"), ESCAPE("\uE00C"), DELETE("\uE017");

		private final String value;

		Key(String value) {
			this.value = value;
		}

		/**
		 * The code point that the WebDriver standard sets apart for this key.
		 */
		String value() {
			return this.value;
		}

	}

}
