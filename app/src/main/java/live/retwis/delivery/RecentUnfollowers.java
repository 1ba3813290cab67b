package live.retwis.delivery;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Scheduler;
import live.retwis.log.CommitLog;
import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;
import live.retwis.redis.CoalescedRead;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Finds in the commit log who has unfollowed an author. The log may be long, and after a
 * crash many tasks ask at once. So all of them share one read, and the next read goes on
 * where the last one ended.
 */
@Component
class RecentUnfollowers {

	/** How long what was read is kept after its last use. */
	private static final Duration KEPT = Duration.ofSeconds(30);

	/** Most users in what is kept, about 100 bytes each. */
	private static final int MOST = 100_000;

	private final CommitLog log;

	/** The times from which on the waiting callers want the entries, in ms. */
	private final Queue<Long> wanted = new ConcurrentLinkedQueue<>();

	/** At most one part of the log. */
	private final Cache<Class<?>, LogPart> known = Caffeine.newBuilder()
		.expireAfterAccess(KEPT)
		.scheduler(Scheduler.systemScheduler())
		.build();

	private final CoalescedRead<LogPart> reading = new CoalescedRead<>(Mono.defer(this::read));

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
				.map((part) -> part.unfollowers().getOrDefault(author, Set.of()))
				.doFinally((end) -> this.wanted.remove(since));
		});
	}

	private Mono<LogPart> read() {
		return Mono.justOrEmpty(this.wanted.stream().min(Comparator.naturalOrder()))
			.flatMap((since) -> Mono.justOrEmpty(known())
				.filter((part) -> part.since() <= since && part.size() <= MOST)
				.flatMap(this::extended)
				.switchIfEmpty(Mono.defer(() -> read(since))))
			.doOnNext((part) -> this.known.put(LogPart.class, part));
	}

	private Optional<LogPart> known() {
		return Optional.ofNullable(this.known.getIfPresent(LogPart.class));
	}

	private Mono<LogPart> read(long since) {
		return this.log.between(Long.toString(since), "+")
			.collect(Reading::new, Reading::add)
			.map((reading) -> new LogPart(since, null, Map.of()).with(reading));
	}

	/**
	 * The same part to the end of the log; empty when a fail-over has lost the last entry
	 * of the part, or it was trimmed.
	 */
	private Mono<LogPart> extended(LogPart part) {
		return Mono.justOrEmpty(part.last())
			.flatMap((last) -> this.log.between(last.entryId(), "+")
				.collect(Reading::new, Reading::add)
				.filter((reading) -> last.equals(reading.first)))
			.map(part::with);
	}

	/** What entries say that are read one by one. */
	private static final class Reading {

		private final Map<String, Set<String>> unfollowers = new HashMap<>();

		private @Nullable LogPosition first;

		private @Nullable LogPosition last;

		void add(LogEntry entry) {
			this.last = entry.position();
			if (this.first == null) {
				this.first = this.last;
			}
			if (entry.type() == LogEntry.Type.UNFOLLOW) {
				this.unfollowers.computeIfAbsent(entry.other(), (author) -> new HashSet<>()).add(entry.user());
			}
		}

	}

	/**
	 * What a part of the log says.
	 *
	 * @param since ms at which it begins
	 * @param last its last entry; null for none
	 * @param unfollowers users who have unfollowed, by the author whom they followed
	 */
	private record LogPart(long since, @Nullable LogPosition last, Map<String, Set<String>> unfollowers) {

		int size() {
			return this.unfollowers.values().stream().mapToInt(Set::size).sum();
		}

		LogPart with(Reading reading) {
			Map<String, Set<String>> all = new HashMap<>(this.unfollowers);
			reading.unfollowers.forEach((author, users) -> {
				Set<String> both = new HashSet<>(all.getOrDefault(author, Set.of()));
				both.addAll(users);
				all.put(author, both);
			});
			return new LogPart(this.since, (reading.last != null) ? reading.last : this.last, all);
		}

	}

}
