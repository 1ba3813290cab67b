package live.retwis.breaking;

import live.retwis.cluster.ClusterFaultRecord;
import org.jspecify.annotations.Nullable;

/**
 * What was broken, and what a page has seen of it. It has no names of users, because it
 * outlives their accounts.
 *
 * @param by id of the user who shares it, by which the reports of each are counted
 * @param at when it was shared, ms since the epoch
 * @param ledger what the page has counted, with times by this machine's clock
 * @param breakage what was broken last; null when nothing was
 */
record BreakReport(String by, long at, PageStreamReport ledger, @Nullable ClusterFaultRecord breakage) {

	/**
	 * What a page has seen until now.
	 * @param latest what was broken last; left out when it was healed before the page
	 * began to count
	 */
	static BreakReport of(String by, long now, PageStreamReport ledger, @Nullable ClusterFaultRecord latest) {
		// The page's clock may be off. It sent its time with the report.
		long began = now - (ledger.now() - ledger.from());
		return new BreakReport(by, now, ledger,
				(latest != null && latest.lastedUntil(began)) ? latest.nameless() : null);
	}

}
