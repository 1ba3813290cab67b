package live.retwis.browser;

import java.util.List;
import java.util.Objects;
import java.util.Set;

import live.retwis.browser.RemoteValues.Node;
import org.jspecify.annotations.Nullable;

/**
 * A click on an element, tried until the element is there and nothing keeps a user from
 * clicking it. One that the page replaces between the press and the release of the button
 * is missed, as a user would miss it; trying again could click twice.
 */
final class Click {

	/**
	 * Refusals that come before the button is pressed: the element went away or moved.
	 */
	private static final Set<String> MISSED = Set.of("no such node", "no such element", "stale element reference",
			"move target out of bounds", "no such frame");

	/**
	 * Brings an element into view and tells what is in the way, if anything is. It looks
	 * at the spot that the browser's own click goes for.
	 */
	private static final String AIM = """
			(css) => {
				const element = document.querySelector(css);
				if (!element) return null;
				element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
				const box = element.getClientRects()[0];
				if (!box || !box.width || !box.height) return [element, "is not visible"];
				if (element.matches(":disabled")) return [element, "is disabled"];
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

	/**
	 * Whether it could be clicked.
	 */
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
