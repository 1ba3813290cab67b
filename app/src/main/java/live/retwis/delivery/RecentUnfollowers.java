package live.retwis.delivery;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

import live.retwis.log.CommitLog;
import live.retwis.log.LogEntry;
import live.retwis.redis.CoalescedRead;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Finds in the commit log who has unfollowed an author. The log may be long, and after a
 * crash many tasks ask at once. So all of them share one read.
 */
@Component
class RecentUnfollowers {

	private final CommitLog log;

	/** The times from which on the waiting callers want the entries, in ms. */
	private final Queue<Long> wanted = new ConcurrentLinkedQueue<>();

	private final CoalescedRead<Map<String, Set<String>>> reading = new CoalescedRead<>(Mono.defer(this::read));

	RecentUnfollowers(CommitLog log) {
		this.log = log;
	}

	/**
	 * Reads the log. The read begins after the call.
	 * @param since time of the first entry that counts, in ms
	 * @return all users who have unfollowed the author since then; perhaps also some who
	 * did so before. Users who follow the author again are among them
	 */
	Mono<Set<String>> of(String author, long since) {
		return Mono.defer(() -> {
			this.wanted.add(since);
			return this.reading.get()
				.map((byAuthor) -> byAuthor.getOrDefault(author, Set.of()))
				.doFinally((end) -> this.wanted.remove(since));
		});
	}

	private Mono<Map<String, Set<String>>> read() {
		return Mono.justOrEmpty(this.wanted.stream().min(Comparator.naturalOrder()))
			.flatMapMany((since) -> this.log.between(Long.toString(since), "+"))
			.filter((entry) -> entry.type() == LogEntry.Type.UNFOLLOW)
			.collect(HashMap::new, (byAuthor,
					entry) -> byAuthor.computeIfAbsent(entry.other(), (author) -> new HashSet<>()).add(entry.user()));
	}

}
