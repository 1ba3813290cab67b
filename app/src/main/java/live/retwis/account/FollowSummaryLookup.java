package live.retwis.account;

import java.util.List;
import java.util.Set;

import reactor.core.publisher.Mono;

/** What lists of users show of follows. */
public interface FollowSummaryLookup {

	/** Those of the given users whom the viewer follows. */
	Mono<Set<String>> followedAmong(String viewerId, Set<String> userIds);

	/**
	 * How many followers each user has, in the order of the ids. The numbers may be a
	 * little old.
	 */
	Mono<List<Long>> followerCounts(List<String> userIds);

}
