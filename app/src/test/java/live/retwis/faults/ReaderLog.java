package live.retwis.faults;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;

/**
 * What a reader has seen of one stream, over all its connections.
 *
 * @param stream name for messages
 * @param reader id of the reader
 * @param posts the posts that belong to the stream
 * @param restriction whom the reader mutes or blocks in the middle of the workload
 * @param end where the reader may have stopped; what the log got later may be missing
 * @param seen all events, in the order of their arrival
 * @param sinceRelease index of the first event of the first connection that was opened
 * after the reader had sent the end of the restriction
 */
record ReaderLog(String stream, String reader, Predicate<LogEntry> posts, LateRestriction restriction, LogPosition end,
		List<SeenEvent> seen, int sinceRelease) {

	private static final Set<LogEntry.Type> NUMBERS = Set.of(LogEntry.Type.COUNTS, LogEntry.Type.NOTIFY);

	/** Events that are shown before and after a wrong one. */
	private static final int AROUND = 6;

	/**
	 * What must come: posts, the counts of these posts, the reader's number of unread
	 * notifications, and all deletions of which pages are told.
	 */
	Predicate<LogEntry> wantedOf(List<LogEntry> log) {
		Predicate<LogEntry> wanted = wantedPostsOf(log);
		Set<String> shown = log.stream().filter(wanted).map(LogEntry::post).collect(Collectors.toSet());
		return (entry) -> switch (entry.type()) {
			case COUNTS -> shown.contains(entry.post());
			case NOTIFY -> this.reader.equals(entry.user());
			case DELETE -> isToldDeletion(entry);
			default -> wanted.test(entry);
		};
	}

	/** Which posts must come. One that is deleted later need not. */
	private Predicate<LogEntry> wantedPostsOf(List<LogEntry> log) {
		Set<String> deleted = WorkloadHistory.deleted(log);
		Predicate<LogEntry> leftOut = this.restriction.leftOutOf(log);
		return (entry) -> isOfStream(entry) && !leftOut.test(entry) && !deleted.contains(entry.post());
	}

	private static boolean isToldDeletion(LogEntry entry) {
		return entry.type() == LogEntry.Type.DELETE && !entry.isSilent();
	}

	private boolean isOfStream(LogEntry entry) {
		return entry.type() == LogEntry.Type.POST && this.posts.test(entry);
	}

	boolean hasReset() {
		return this.seen.stream().anyMatch(SeenEvent::isReset);
	}

	/**
	 * What is wrong. Entries seen before a reset may be cut from the log. After the last
	 * reset no post may be missing.
	 */
	List<String> violations(List<LogEntry> log) {
		List<String> violations = new ArrayList<>(repetitions(log));
		violations.addAll(steps());
		violations.addAll(hidden(log));
		int start = lastReset();
		if (start == this.seen.size()) {
			violations.add("nothing came");
		}
		else {
			violations.addAll(differences(this.seen.subList(start, this.seen.size()), log));
		}
		return violations.stream().map((violation) -> this.stream + ": " + violation).toList();
	}

	/**
	 * Numbers of which the last one that came was outdated. Those before the last reset
	 * do not matter, because the page is read again. Only the last one must come: a
	 * replay leaves out older ones.
	 */
	List<String> staleNumbers(List<LogEntry> log) {
		List<SeenEvent> part = this.seen.subList(lastReset(), this.seen.size());
		Predicate<LogEntry> wanted = wantedOf(log);
		Map<String, String> told = new HashMap<>();
		part.stream().map(SeenEvent::number).forEach((number) -> told.put(subjectOf(number), number));
		Map<String, List<String>> right = new TreeMap<>();
		log.stream().filter((entry) -> NUMBERS.contains(entry.type()) && wanted.test(entry)).forEach((entry) -> {
			String subject = subjectOf(entry.facts());
			if (!part.isEmpty() && isBetween(part.get(0), entry)) {
				right.put(subject, new ArrayList<>());
			}
			if (right.containsKey(subject)) {
				right.get(subject).add(entry.facts());
			}
		});
		return right.entrySet()
			.stream()
			.filter((numbers) -> !numbers.getValue().contains(told.get(numbers.getKey())))
			.map((numbers) -> this.stream + ": " + numbers.getValue().get(0) + " did not come, the last one was "
					+ told.get(numbers.getKey()))
			.toList();
	}

	/** The post that the counts are of; the same text for all unread numbers. */
	private static String subjectOf(String number) {
		return number.split(",|\\d+}", 2)[0];
	}

	/**
	 * Posts that came twice. A post that was cut from the log may come again after a
	 * reset. An instance that does not know of the cut yet continues with the entries
	 * that it has, until it sends a reset too. And the site commits a post again whose
	 * commit was lost.
	 */
	private List<String> repetitions(List<LogEntry> log) {
		Set<LogPosition> places = log.stream().map(LogEntry::position).collect(Collectors.toSet());
		Map<String, Integer> posts = new HashMap<>();
		List<String> violations = new ArrayList<>();
		for (int i = 0; i < this.seen.size(); i++) {
			SeenEvent one = this.seen.get(i);
			Integer first = one.isPost() ? posts.put(one.post(), i) : null;
			if (first == null) {
				continue;
			}
			LogPosition before = this.seen.get(first).position();
			boolean reset = this.seen.subList(first, i).stream().anyMatch(SeenEvent::isReset);
			if (!reset || (places.contains(before) && places.contains(one.position()))) {
				violations.add("post " + one.post() + " came twice: at " + before + " and at " + one.position()
						+ (reset ? ", after a reset" : ""));
			}
		}
		return violations;
	}

	/**
	 * Events in a wrong order. Only a reset may go back in the log, and only a post may
	 * go forward.
	 */
	private List<String> steps() {
		List<String> violations = new ArrayList<>();
		for (int i = 1; i < this.seen.size(); i++) {
			SeenEvent before = this.seen.get(i - 1);
			SeenEvent one = this.seen.get(i);
			int step = one.position().compareTo(before.position());
			if (!one.isReset() && (one.isPost() ? step <= 0 : step < 0)) {
				violations.add(one.event() + " at " + one.position() + " came after " + before.position());
			}
		}
		return violations;
	}

	/** What came of an author whom the reader had muted or blocked before. */
	private List<String> hidden(List<LogEntry> log) {
		Set<LogPosition> hidden = log.stream()
			.filter(this.restriction.hiddenIn(log))
			.map(LogEntry::position)
			.collect(Collectors.toSet());
		return this.seen.stream()
			.limit(this.sinceRelease)
			.filter((one) -> one.isPost() && hidden.contains(one.position()))
			.map((one) -> "post " + one.post() + " at " + one.position() + " came, but its author is hidden since "
					+ this.restriction.beginIn(log).orElseThrow())
			.toList();
	}

	/** Index of the first event after the last reset. */
	private int lastReset() {
		for (int i = this.seen.size() - 1; i > 0; i--) {
			if (this.seen.get(i).isReset()) {
				return i;
			}
		}
		return 0;
	}

	private boolean isBetween(SeenEvent first, LogEntry entry) {
		return entry.position().compareTo(first.position()) > 0 && entry.position().compareTo(this.end) <= 0;
	}

	private List<String> differences(List<SeenEvent> part, List<LogEntry> log) {
		List<String> violations = new ArrayList<>();
		Map<LogPosition, LogEntry> places = new TreeMap<>();
		log.forEach((entry) -> places.put(entry.position(), entry));
		Map<LogPosition, String> wanted = new TreeMap<>();
		log.stream()
			.filter(wantedPostsOf(log).and((entry) -> isBetween(part.get(0), entry)))
			.forEach((entry) -> wanted.put(entry.position(), "post " + entry.post()));
		log.stream()
			.filter((entry) -> isToldDeletion(entry) && isBetween(part.get(0), entry))
			.forEach((entry) -> wanted.put(entry.position(), "the deletion of post " + entry.post()));
		for (int i = 0; i < part.size(); i++) {
			SeenEvent one = part.get(i);
			LogEntry entry = places.get(one.position());
			if (one.isDerivedAfter(log.get(log.size() - 1))) {
				continue;
			}
			if (entry == null || !entry.position().equals(one.position())) {
				violations.add(one.event() + " at " + one.position() + ", which the log does not hold, amid "
						+ part.subList(Math.max(0, i - AROUND), Math.min(part.size(), i + AROUND)));
			}
			else if (one.isPost() && !(isOfStream(entry) && one.shows(entry))) {
				violations.add("post " + one.post() + " at " + one.position() + " is not the log's");
			}
			if (one.isPost() || one.event().equals("delete")) {
				wanted.remove(one.position());
			}
		}
		wanted.forEach((position, what) -> violations.add(what + " at " + position + " was lost"));
		return violations;
	}

}
