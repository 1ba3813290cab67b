package live.retwis.breaking;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import live.retwis.cluster.ClusterFaultRecord;
import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.web.PageFrame;
import live.retwis.web.PageView;
import live.retwis.web.TimeFormat;
import org.jspecify.annotations.Nullable;

/**
 * A shared report, for somebody who was not there: what was broken, what the page saw, as
 * sentences, as a figure and as a list in the order of time.
 *
 * @param what what was broken; null when nothing was
 * @param verdict whether the page has lost anything
 * @param gone posts that are not in the log any more; null when there are none
 * @param longest longest time without a stream since the page was opened, in ms
 * @param chart the figure
 * @param lines what happened, oldest first
 */
record BreakReportPage(PageFrame frame, Localized when, @Nullable Localized what, Localized verdict,
		@Nullable Localized gone, PageStreamReport ledger, long longest, BreakReportChart chart,
		List<Line> lines) implements PageView {

	/** Gaps that ended earlier belong to what was broken before. */
	private static final long BEFORE_MILLIS = 1_000;

	static BreakReportPage of(PageFrame frame, BreakReport report) {
		// The page's clock may be off. It sent its time with the report.
		long ahead = report.ledger().now() - report.at();
		ClusterFaultRecord broken = report.breakage();
		PageStreamReport ledger = report.ledger();
		long zero = (broken != null) ? broken.began()
				: ledger.gaps().isEmpty() ? report.at() : ledger.gaps().get(0).from() - ahead;
		List<PageStreamReport.Gap> gaps = ledger.gaps()
			.stream()
			.filter((gap) -> gap.to() - ahead >= zero - BEFORE_MILLIS)
			.toList();
		return new BreakReportPage(frame, TimeFormat.text(report.at()),
				(broken != null) ? BreakTexts.done(broken) : null,
				(ledger.lost() == 0 && ledger.twice() == 0) ? Message.of("break.report-whole", ledger.expected())
						: Message.of("break.report-lost", ledger.expected(), ledger.lost(), ledger.twice()),
				(ledger.gone() > 0) ? Message.of("break.report-gone", ledger.gone()) : null, ledger,
				ledger.longestGap(), BreakReportChart.of(report, gaps, zero, ahead), lines(report, gaps, zero, ahead));
	}

	private static List<Line> lines(BreakReport report, List<PageStreamReport.Gap> gaps, long zero, long ahead) {
		List<Line> lines = new ArrayList<>();
		ClusterFaultRecord broken = report.breakage();
		if (broken != null) {
			lines.add(new Line(broken.began(), Message.of("break.after", 0.0), BreakTexts.done(broken), true));
			broken.changes().forEach((change) -> lines.add(line(change.at(), zero, BreakTexts.change(change), false)));
			if (!broken.isActive()) {
				lines.add(line(broken.healed(), zero, Message.of("break.healed"), false));
			}
		}
		gaps.forEach((gap) -> {
			lines.add(line(gap.from() - ahead, zero, Message.of("break.page-lost", name(gap.before())), true));
			long late = report.ledger()
				.posts()
				.stream()
				.filter((post) -> post.late() && post.at() >= gap.to() && post.made() <= gap.to())
				.count();
			lines.add(line(gap.to() - ahead, zero,
					Message.of("break.page-resumed", name(gap.after()), gap.to() - gap.from(), late), true));
		});
		lines.sort(Comparator.comparingLong(Line::at));
		return lines;
	}

	private static Line line(long at, long zero, Localized what, boolean ofPage) {
		return new Line(at, Message.of("break.after", (at - zero) / 1000.0), what, ofPage);
	}

	private static String name(@Nullable String instance) {
		return (instance != null) ? instance : "?";
	}

	/**
	 * What happened.
	 *
	 * @param at ms since the epoch
	 * @param after seconds since the beginning
	 * @param what the event
	 * @param strong whether it stands out
	 */
	record Line(long at, Localized after, Localized what, boolean strong) {
	}

}
