package live.retwis.timeline;

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
 * Who has stopped following an author, from the commit log. The log may be long, and
 * after a crash many ask at once; all of them share one reading of it.
 */
@Component
class UnfollowsInLog {

	private final CommitLog log;

	/** From which millisecond on those want to know who wait for an answer. */
	private final Queue<Long> wanted = new ConcurrentLinkedQueue<>();

	private final CoalescedRead<Map<String, Set<String>>> reading = new CoalescedRead<>(Mono.defer(this::read));

	UnfollowsInLog(CommitLog log) {
		this.log = log;
	}

	/**
	 * Reads the log after this was asked.
	 * @param since millisecond of the first entry that counts
	 * @return all who have stopped following the author since then, and perhaps some who
	 * had before; also who follows again
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
