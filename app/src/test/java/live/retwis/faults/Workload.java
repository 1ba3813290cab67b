package live.retwis.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.faults.WorkloadHistory.Repost;
import live.retwis.locks.nodes.RedisProcess;
import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;
import live.retwis.testing.EventStream;
import live.retwis.testing.NodeConnections;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Users who write and read at all instances while something breaks.
 */
final class Workload implements AutoCloseable {

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private static final Duration AGAIN = Duration.ofMillis(500);

	/** A replica of a master, and up to where it has said that it has heard. */
	private static final Pattern REPLICA = Pattern.compile("slave\\d+:.*,offset=(\\d+),.*");

	/** Of so many posts some are certainly liked. */
	private static final int MANY = 200;

	/** The latest number of posts after which readers mute or block an author. */
	private static final int LATEST = 150;

	/** One reader in this many is a steady one. */
	private static final int STEADY = 4;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final List<CompletableFuture<Void>> writing = new ArrayList<>();

	private final List<CompletableFuture<Void>> reading = new ArrayList<>();

	private final List<CompletableFuture<Void>> restricting = new ArrayList<>();

	private final List<RestrictingReader> restrictingReaders;

	/** Mutes and blocks that are done, by their readers' ids. */
	private final Map<String, Acknowledgement> restricted = new ConcurrentHashMap<>();

	/** Those of them that are taken back, by their readers' ids. */
	private final Map<String, Acknowledgement> released = new ConcurrentHashMap<>();

	private final List<ResumingReader> readers = new ArrayList<>();

	private final Writers writers;

	private final Random random;

	private final LogPosition start;

	private final List<Cut> cuts = new CopyOnWriteArrayList<>();

	private Workload(WorkloadPeople people, List<RestrictingReader> restrictingReaders, LoadBalancer balancer,
			StoredLog store, Random random) {
		this.writers = new Writers(people, balancer);
		this.restrictingReaders = restrictingReaders;
		this.random = random;
		this.start = store.head().position();
		Stream.concat(people.subscriptions().stream(), restrictingReaders.stream().map(RestrictingReader::subscription))
			.forEach((subscription) -> {
				Random own = new Random(random.nextLong());
				this.readers
					.add((this.readers.size() % STEADY == 0) ? ResumingReader.steady(subscription, balancer, own)
							: ResumingReader.restless(subscription, balancer, own));
			});
	}

	/**
	 * Starts the workload. On return all readers have a position.
	 * @param authors number of authors who write at once
	 * @param pauseMillis longest pause of an author before the next post
	 */
	static Workload start(WorkloadPeople people, LoadBalancer balancer, StoredLog store, Random random, int authors,
			int pauseMillis) {
		Workload workload = new Workload(people, people.restricting(balancer, random), balancer, store, random);
		balancer.origins().forEach(workload::awaitCaughtUp);
		workload.readers.forEach((reader) -> workload.reading.add(workload.later(reader)));
		Awaitility.await("all streams")
			.atMost(LIMIT)
			.until(() -> workload.readers.stream().allMatch(ResumingReader::hasBegun));
		for (int i = 0; i < authors; i++) {
			int number = i;
			Random own = new Random(random.nextLong());
			workload.writing.add(workload.later(() -> workload.writers.write(number, pauseMillis, own)));
		}
		workload.restrictingReaders.forEach((reader) -> {
			int posts = random.nextInt(LATEST);
			Random own = new Random(random.nextLong());
			workload.restricting.add(workload.later(() -> workload.restrict(reader, posts, balancer, own)));
		});
		return workload;
	}

	/**
	 * Waits until the instance has read all entries of earlier tests. Otherwise a new
	 * reader would see them.
	 */
	private void awaitCaughtUp(String origin) {
		Awaitility.await(origin + " knows the log").atMost(LIMIT).ignoreExceptions().until(() -> {
			try (EventStream stream = Visitor.at(origin).open("/live/public")) {
				return SeenEvent.of(stream.await((event) -> true)).position().compareTo(this.start) >= 0;
			}
		});
	}

	private CompletableFuture<Void> later(Runnable deed) {
		return CompletableFuture.runAsync(deed, this.threads);
	}

	/** Waits until this many more posts are acknowledged. */
	void awaitPosts(int more) {
		int before = acknowledged();
		Awaitility.await(more + " posts").atMost(LIMIT).until(() -> acknowledged() >= before + more);
	}

	/**
	 * Loses a master together with what only it had. That is nothing from before this
	 * call.
	 * @param loss ends when another server has taken its place
	 */
	void cut(RedisProcess master, Runnable loss) {
		long began = System.nanoTime();
		long written = Long.parseLong(replication(master).filter((line) -> line.startsWith("master_repl_offset:"))
			.map((line) -> line.substring(line.indexOf(':') + 1))
			.findFirst()
			.orElseThrow());
		Awaitility.await("replicas that have heard of it")
			.atMost(LIMIT)
			.ignoreExceptions()
			.untilAsserted(() -> assertThat(replication(master).map(REPLICA::matcher)
				.filter(Matcher::matches)
				.map((replica) -> replica.group(1))).isNotEmpty()
				.allMatch((heard) -> Long.parseLong(heard) >= written));
		loss.run();
		this.cuts.add(new Cut(began, System.nanoTime()));
	}

	private static Stream<String> replication(RedisProcess master) {
		return NodeConnections.ask(master, (commands) -> commands.info("replication")).lines();
	}

	/** Number of acknowledged posts. */
	int acknowledged() {
		return this.writers.acknowledged().size();
	}

	/** How often a form was sent again. */
	int repeated() {
		return this.writers.repeated();
	}

	/**
	 * Stops the authors, lets every reader read to the end, and returns the result.
	 * @param store where the log is now
	 */
	WorkloadHistory settle(StoredLog store) {
		this.writers.stop();
		join(this.writing);
		join(this.restricting);
		awaitRestrictions(store);
		this.writers.postOnce(this.random);
		awaitDerivedLists(store);
		List<LogEntry> log = readToTheEnd(store);
		join(this.reading);
		return new WorkloadHistory(log, Set.copyOf(this.writers.acknowledged()), certainReposts(log),
				this.readers.stream().map(ResumingReader::reading).toList());
	}

	/**
	 * Lets every reader read to the end of the log. Workers go on to log what they derive
	 * from the posts, and a quiet stream may get such a position only. So the log is read
	 * again until all readers are at its end.
	 */
	private List<LogEntry> readToTheEnd(StoredLog store) {
		List<LogEntry> log = new ArrayList<>();
		Awaitility.await("all readers at the end of the log")
			.atMost(LIMIT)
			.pollInterval(AGAIN)
			.ignoreExceptions()
			.until(() -> {
				log.clear();
				log.addAll(store.log(this.start.entryId()));
				this.readers.forEach((reader) -> reader.readToTheEndOf(log));
				return this.reading.stream().allMatch(CompletableFuture::isDone);
			});
		return log;
	}

	/**
	 * Waits until the workers have written the lists and have logged the numbers. One
	 * post in six is liked and reposted, one in six mentions, and one in six is deleted.
	 */
	private void awaitDerivedLists(StoredLog store) {
		if (acknowledged() > MANY) {
			assertThat(this.writers.likes()).isNotEmpty();
			assertThat(this.writers.reposts()).isNotEmpty();
			assertThat(this.writers.mentions()).isNotEmpty();
			assertThat(this.writers.deletions()).isNotEmpty();
		}
		Awaitility.await("lists and numbers")
			.atMost(LIMIT)
			.pollInterval(AGAIN)
			.ignoreExceptions()
			.untilAsserted(() -> new DerivedLists(store, store.log(this.start.entryId()), this.writers, this.cuts)
				.assertComplete());
	}

	/** Acknowledged reposts that must be in this log. */
	private Set<Repost> certainReposts(List<LogEntry> log) {
		Set<String> made = log.stream()
			.filter((entry) -> entry.type() == LogEntry.Type.POST)
			.map(LogEntry::post)
			.collect(Collectors.toSet());
		return this.writers.reposts()
			.entrySet()
			.stream()
			.filter((repost) -> made.contains(repost.getKey()) && isCertain(repost.getValue()))
			.map((repost) -> new Repost(repost.getKey(), repost.getValue().userId()))
			.collect(Collectors.toSet());
	}

	private boolean isCertain(Acknowledgement write) {
		return this.cuts.stream().noneMatch((cut) -> cut.mayLose(write));
	}

	/**
	 * Mutes or blocks an author after so many posts, or at the end if there are not as
	 * many. What is taken back is sent once before, because a form that nobody answered
	 * may be done later.
	 */
	private void restrict(RestrictingReader reader, int posts, LoadBalancer balancer, Random own) {
		awaitPosts(posts, own);
		Optional<Acknowledgement> once = reader.restrictOnce(balancer, own);
		Acknowledgement done = once.orElseGet(() -> reader.restrict(balancer, own));
		this.restricted.put(done.userId(), done);
		if (reader.ends() && once.isPresent()) {
			awaitPosts(acknowledged() + own.nextInt(LATEST), own);
			readerOf(reader).released(LateRestriction.End.UNCERTAIN);
			Acknowledgement end = reader.release(balancer, own);
			this.released.put(end.userId(), end);
		}
	}

	/** Waits for so many acknowledged posts, or until the authors stop. */
	private void awaitPosts(int posts, Random own) {
		while (!this.writers.isStopped() && acknowledged() < posts) {
			ThinkTime.upTo(ThinkTime.SHORT, own);
		}
	}

	private ResumingReader readerOf(RestrictingReader restricting) {
		return this.readers.stream()
			.filter((reader) -> reader.reads(restricting.subscription()))
			.findFirst()
			.orElseThrow();
	}

	/**
	 * Waits until the log has each acknowledged mute and block, and where it was taken
	 * back. After a form that was sent again, the intent of the first one may bring the
	 * entry later.
	 */
	private void awaitRestrictions(StoredLog store) {
		Awaitility.await("mutes and blocks in the log")
			.atMost(LIMIT)
			.pollInterval(AGAIN)
			.ignoreExceptions()
			.untilAsserted(() -> {
				List<LogEntry> log = store.log(this.start.entryId());
				assertThat(without(this::hasCertainBegin, (restriction) -> restriction.beginIn(log))).isEmpty();
				assertThat(without(this::hasCertainEnd, (restriction) -> restriction.endIn(log))).isEmpty();
			});
		this.restrictingReaders.stream()
			.filter(this::hasCertainEnd)
			.forEach((reader) -> readerOf(reader).released(LateRestriction.End.CERTAIN));
	}

	/** Those of the readers whose restriction has no such place in the log. */
	private List<String> without(Predicate<RestrictingReader> which,
			Function<LateRestriction, Optional<LogPosition>> place) {
		return this.restrictingReaders.stream()
			.filter(which)
			.map(RestrictingReader::restriction)
			.filter((restriction) -> place.apply(restriction).isEmpty())
			.map((restriction) -> restriction.reader() + " and " + restriction.author())
			.toList();
	}

	private boolean hasCertainBegin(RestrictingReader reader) {
		return isCertain(this.restricted, reader);
	}

	/**
	 * Taking back a mute that was lost changes nothing, so the log does not tell of it.
	 */
	private boolean hasCertainEnd(RestrictingReader reader) {
		return hasCertainBegin(reader) && isCertain(this.released, reader);
	}

	private boolean isCertain(Map<String, Acknowledgement> forms, RestrictingReader reader) {
		Acknowledgement form = forms.get(reader.restriction().reader());
		return form != null && isCertain(form);
	}

	private static void join(List<CompletableFuture<Void>> deeds) {
		CompletableFuture.allOf(deeds.toArray(CompletableFuture[]::new))
			.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS)
			.join();
	}

	@Override
	public void close() {
		this.writers.stop();
		this.threads.shutdownNow();
	}

}
