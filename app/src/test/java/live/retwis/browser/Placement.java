package live.retwis.browser;

import java.util.List;
import java.util.Objects;

/**
 * Checks that what a page shows is inside of its window and of its frame, and that a
 * label, a number or a button never covers another.
 */
final class Placement {

	/**
	 * Boxes that are outside of the window or the frame, or cover one another. The bar
	 * may cover what is scrolled up, and so may the button for new posts. What scrolls
	 * sideways may go on outside.
	 */
	private static final String MISPLACED = """
			(() => {
				const parts = "h1, h2, label, button:not(.live-new), a, time, input, textarea, "
					+ ".hint, .count, .avatar, .post-body, .bio, .name";
				const told = ([part, box]) => `${part.tagName} ${part.className} "${part.textContent.slice(0, 30)}" `
					+ [box.left, box.top, box.right, box.bottom].map(Math.round);
				const scrolls = (part) => part !== null
					&& (/auto|scroll/.test(getComputedStyle(part).overflowX) || scrolls(part.parentElement));
				return [".bar", "main"].flatMap((place) => {
					const boxes = [...document.querySelectorAll(`${place} :is(${parts})`)]
						.filter((part) => part.checkVisibility({ visibilityProperty: true }))
						.flatMap((part) => [...part.getClientRects()].map((box) => [part, box]))
						.filter(([, box]) => box.width > 1 && box.height > 1);
					const outside = boxes.filter(([part]) => !scrolls(part.parentElement)).filter(([part, box]) => {
						const frame = part.parentElement.closest(".compose, .card, .post")?.getBoundingClientRect();
						return box.left < Math.max(0, (frame?.left ?? 0) - 0.5)
							|| box.right > Math.min(innerWidth, frame?.right ?? innerWidth) + 0.5;
					}).map(told);
					const covered = boxes.flatMap((one, i) => boxes.slice(i + 1).filter((other) =>
						!one[0].contains(other[0]) && !other[0].contains(one[0])
						&& Math.min(one[1].right, other[1].right) - Math.max(one[1].left, other[1].left) > 1
						&& Math.min(one[1].bottom, other[1].bottom) - Math.max(one[1].top, other[1].top) > 1)
						.map((other) => `${told(one)} and ${told(other)}`));
					return [...outside, ...covered];
				});
			})()""";

	private Placement() {
	}

	/** What stands in a wrong place on the page that the tab shows. */
	static List<String> misplaced(Tab tab) {
		return ((List<?>) Objects.requireNonNull(tab.evaluate(MISPLACED))).stream().map(String::valueOf).toList();
	}

}
