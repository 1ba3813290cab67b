package live.retwis.breaking;

import java.util.ArrayList;
import java.util.List;

import live.retwis.cluster.ClusterFaultRecord;

/**
 * A figure of what a page has seen, 1000 units wide: a band for what was broken, one for
 * each gap in the stream, and a mark for each post when it was made and when it arrived.
 *
 * @param bands times, in the order in which they are drawn
 * @param posts posts
 * @param zero where it was broken
 */
record BreakReportChart(List<Band> bands, List<Mark> posts, int zero) {

	private static final int WIDTH = 1000;

	/** What is shown before and after, at least. */
	private static final long MARGIN_MILLIS = 3_000;

	/** Longest time that is shown. */
	private static final long LONGEST_MILLIS = 120_000;

	static BreakReportChart of(BreakReport report, List<PageStreamReport.Gap> gaps, long zero, long ahead) {
		ClusterFaultRecord broken = report.breakage();
		long end = gaps.stream().mapToLong((gap) -> gap.to() - ahead).max().orElse(zero);
		if (broken != null) {
			end = Math.max(end, broken.isActive() ? report.at() : broken.healed());
		}
		Scale scale = new Scale(zero - MARGIN_MILLIS,
				Math.min(end + MARGIN_MILLIS, zero + LONGEST_MILLIS) - zero + MARGIN_MILLIS);
		List<Band> bands = new ArrayList<>();
		if (broken != null) {
			bands.add(scale.band("broken", broken.began(), broken.isActive() ? report.at() : broken.healed()));
		}
		gaps.forEach((gap) -> bands.add(scale.band("gap", gap.from() - ahead, gap.to() - ahead)));
		List<Mark> marks = report.ledger()
			.posts()
			.stream()
			.filter((post) -> scale.holds(post.at() - ahead))
			.map((post) -> new Mark(scale.at(post.made()), scale.at(post.at() - ahead), post.late()))
			.toList();
		return new BreakReportChart(bands, marks, scale.at(zero));
	}

	/** A time, by its beginning and its width. */
	record Band(String kind, int x, int width) {
	}

	/** A post: when it was made and when it arrived. */
	record Mark(int made, int arrived, boolean late) {
	}

	private record Scale(long from, long millis) {

		boolean holds(long at) {
			return at >= this.from && at <= this.from + this.millis;
		}

		int at(long time) {
			return (int) Math.max(0, Math.min(WIDTH, (time - this.from) * WIDTH / Math.max(1, this.millis)));
		}

		Band band(String kind, long begin, long end) {
			int x = at(begin);
			return new Band(kind, x, Math.max(2, at(end) - x));
		}

	}

}
