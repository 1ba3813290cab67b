package live.retwis.browser;

import java.util.List;
import java.util.Objects;
import java.util.Set;

import live.retwis.browser.RemoteValues.Node;
import org.jspecify.annotations.Nullable;

/**
 * A click on an element. It is tried until the element exists and a user could click it.
 * If the page replaces the element while the button is pressed, the click is lost, as it
 * would be for a user. Trying again could click twice.
 */
final class Click {

	/**
	 * Errors that occur before the button is pressed, because the element was removed or
	 * moved.
	 */
	private static final Set<String> MISSED = Set.of("no such node", "no such element", "stale element reference",
			"move target out of bounds", "no such frame");

	/**
	 * Scrolls the element into view, and returns what covers it, if anything does. It
	 * looks at the point that the browser will click. Browsers drop clicks on a page that
	 * they have not painted yet, because nobody can have meant them. A page that has
	 * nothing to paint, or is not shown, is given two seconds.
	 */
	private static final String AIM = """
			(css) => {
				const element = document.querySelector(css);
				if (!element) return null;
				element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
				const box = element.getClientRects()[0];
				if (!box || !box.width || !box.height) return [element, "is not visible"];
				if (element.matches(":disabled")) return [element, "is disabled"];
				if (performance.getEntriesByType("paint").length === 0 && performance.now() < 2_000) return [element, "is not painted"];
				const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
				return [element, element.contains(hit) ? "" : "is under " + (hit ? hit.outerHTML.slice(0, 200) : "nothing")];
			}""";

	private final Document document;

	private final Input input;

	private final String css;

	private String obstacle = "is not there";

	Click(Document document, Input input, String css) {
		this.document = document;
		this.input = input;
		this.css = css;
	}

	/** Tries to click, and returns whether it was possible. */
	boolean tryNow() {
		Node node = aim();
		if (node == null) {
			return false;
		}
		try {
			this.input.click(node);
			return true;
		}
		catch (BidiException ex) {
			if (!MISSED.contains(ex.error())) {
				throw ex;
			}
			this.obstacle = "moves";
			return false;
		}
	}

	private @Nullable Node aim() {
		List<?> target = (List<?>) this.document.call(AIM, this.css);
		if (target == null) {
			this.obstacle = "is not there";
			return null;
		}
		this.obstacle = Objects.requireNonNull(target.get(1)).toString();
		return this.obstacle.isEmpty() ? (Node) target.get(0) : null;
	}

	@Override
	public String toString() {
		return "a click on " + this.css + ", which " + this.obstacle;
	}

}
