package live.retwis.locks.lab.steps;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.RoundRecord;
import live.retwis.locks.lab.steps.AcquisitionTrace.Exchange;
import live.retwis.locks.lab.steps.AcquisitionTrace.Question;
import org.jspecify.annotations.Nullable;

/**
 * Reads the acquisitions of a round from its history. What was sent on the links belongs
 * to the latest acquisition of the client that used the same owner.
 */
public final class AcquisitionReader {

	private static final long MILLI = 1_000_000;

	private final RoundRecord round;

	private final List<Attempt> attempts = new ArrayList<>();

	/** The latest acquisition of each client. */
	private final Map<String, Attempt> latest = new HashMap<>();

	/** The latest acquisition of each owner. */
	private final Map<String, Attempt> owners = new HashMap<>();

	/** Commands without an answer so far, by their numbers. */
	private final Map<Long, Sent> open = new HashMap<>();

	/**
	 * Whether the engine is this library's. Then each acquisition has an owner of its
	 * own, and the engine tells how long the lock may be relied on.
	 */
	private final boolean timed;

	private int nodes;

	private AcquisitionReader(RoundRecord round) {
		this.round = round;
		this.timed = LabEngine.of(round.engine()).filter(LabEngine::isOurs).isPresent();
	}

	/**
	 * The acquisitions of a round, in the order in which they began. None when the
	 * history has no commands, as in a shortened report: all nodes would seem not to have
	 * been asked.
	 */
	public static List<AcquisitionTrace> of(RoundRecord round) {
		if (round.events().stream().noneMatch((event) -> event.kind() == HistoryEvent.Kind.ASKED)) {
			return List.of();
		}
		AcquisitionReader steps = new AcquisitionReader(round);
		round.events().stream().sorted(Comparator.comparingLong(HistoryEvent::at)).forEach(steps::read);
		return steps.attempts.stream().map(steps::finished).toList();
	}

	/**
	 * The acquisitions that are worth reading: the last ones that got the lock, and the
	 * last ones that did not.
	 * @param most how many of each kind
	 */
	public static List<AcquisitionTrace> notable(RoundRecord round, int most) {
		List<AcquisitionTrace> all = of(round);
		Set<AcquisitionTrace> chosen = Collections.newSetFromMap(new IdentityHashMap<>());
		chosen.addAll(last(all, most, true));
		chosen.addAll(last(all, most, false));
		return all.stream().filter(chosen::contains).toList();
	}

	private static List<AcquisitionTrace> last(List<AcquisitionTrace> all, int most, boolean granted) {
		List<AcquisitionTrace> some = all.stream()
			.filter((one) -> one.outcome().equals("acquired") == granted)
			.toList();
		return some.subList(Math.max(0, some.size() - most), some.size());
	}

	private void read(HistoryEvent event) {
		switch (event.kind()) {
			case INVOKE -> begin(event);
			case RETURN -> end(event);
			case ASKED -> ask(event);
			case ANSWERED -> answer(event);
			case NODES -> this.nodes = Math.max(this.nodes,
					(int) event.details().keySet().stream().filter((key) -> key.matches("node \\d+")).count());
			default -> {
				// Faults and steps of the schedule are no part of an acquisition.
			}
		}
	}

	private void begin(HistoryEvent event) {
		if (event.name().equals("acquire")) {
			Attempt attempt = new Attempt(event);
			this.attempts.add(attempt);
			this.latest.put(event.subject(), attempt);
		}
	}

	private void end(HistoryEvent event) {
		Attempt attempt = this.latest.get(event.subject());
		if (event.name().equals("acquire") && attempt != null && attempt.operation == event.operation()) {
			attempt.answer = event;
		}
	}

	private void ask(HistoryEvent event) {
		int node = Integer.parseInt(event.detail("node"));
		this.nodes = Math.max(this.nodes, node);
		Attempt attempt = attempt(event);
		if (attempt != null && !event.name().equals("look")) {
			Sent sent = new Sent(event);
			Map<Integer, List<Sent>> kind = event.name().equals("release") ? attempt.releases : attempt.questions;
			kind.computeIfAbsent(node, (number) -> new ArrayList<>()).add(sent);
			this.open.put(event.operation(), sent);
		}
	}

	private @Nullable Attempt attempt(HistoryEvent event) {
		Attempt newest = this.latest.get(event.subject());
		String owner = event.detail("owner");
		if (event.name().equals("take") && newest != null && !(this.timed && this.owners.containsKey(owner))) {
			this.owners.put(owner, newest);
		}
		return this.owners.getOrDefault(owner, newest);
	}

	private void answer(HistoryEvent event) {
		Sent sent = this.open.remove(event.operation());
		if (sent != null) {
			sent.answer = event;
		}
	}

	private AcquisitionTrace finished(Attempt attempt) {
		int needed = attempt.told(HistoryEvent.QUORUM).map(Integer::valueOf).orElseGet(this::needed);
		boolean reads = attempt.told(HistoryEvent.TIMED).map(Boolean::valueOf).orElse(this.timed);
		boolean heedsSecond = attempt.told(HistoryEvent.HEEDS_SECOND).map(Boolean::valueOf).orElse(this.timed);
		HistoryEvent answer = attempt.answer;
		long end = (answer != null) ? answer.at() : Long.MAX_VALUE;
		List<Exchange> asked = IntStream.rangeClosed(1, Math.max(this.nodes, 1))
			.mapToObj((node) -> asked(node, attempt.questions.getOrDefault(node, List.of()), end, heedsSecond))
			.toList();
		List<Exchange> released = attempt.releases.entrySet()
			.stream()
			.map((entry) -> exchange(entry.getKey(),
					entry.getValue().stream().map((one) -> one.question(Long.MAX_VALUE, "gone")).toList(), "gone"))
			.toList();
		long[] yes = asked.stream().flatMapToLong((node) -> yes(node, heedsSecond)).sorted().toArray();
		long until = (answer != null) ? answer.at() : -1;
		long lease = this.round.leaseNanos();
		long drift = attempt.told(HistoryEvent.DRIFT).map(Long::valueOf).orElse(lease / 100 + 2 * MILLI);
		String told = (answer != null) ? answer.detail(HistoryEvent.UNTIL) : "";
		long validity = !told.isEmpty() ? Long.parseLong(told) - until
				: lease - drift - ((until >= 0) ? until - attempt.from : 0);
		long reliesUntil = (answer == null || !answer.detail("outcome").equals("acquired")) ? -1
				: !told.isEmpty() ? Long.parseLong(told) : until + lease;
		return new AcquisitionTrace(attempt.client, attempt.from, until,
				(answer != null) ? answer.detail("outcome") : "", reads, asked, needed,
				(yes.length >= needed) ? yes[needed - 1] : -1, heedsSecond, lease, drift, validity, reliesUntil,
				released);
	}

	/** When a node said the yes that counts. */
	private static LongStream yes(Exchange node, boolean heedsSecond) {
		if (heedsSecond && !node.says().equals("yes")) {
			return LongStream.empty();
		}
		return node.questions()
			.stream()
			.skip(heedsSecond ? node.questions().size() - 1 : 0)
			.limit(1)
			.filter((one) -> one.says().equals("yes"))
			.mapToLong(Question::answered);
	}

	/** A lock on one node needs that node. */
	private int needed() {
		boolean majority = LabEngine.of(this.round.engine()).map(LabEngine::hasMajority).orElse(true);
		return majority ? Math.max(this.nodes, 1) / 2 + 1 : 1;
	}

	/**
	 * What came of the questions to a node. What it said after the end of the acquisition
	 * came too late to count. Nobody waits for a second answer that does not count.
	 */
	private static Exchange asked(int node, List<Sent> sent, long end, boolean heedsSecond) {
		return exchange(node, IntStream.range(0, sent.size())
			.mapToObj((number) -> sent.get(number).question((number == 0 || heedsSecond) ? end : Long.MAX_VALUE, "no"))
			.toList(), "no");
	}

	/**
	 * The questions to a node, and what they came to.
	 * @param no what it means that the node said no
	 */
	private static Exchange exchange(int node, List<Question> questions, String no) {
		String says = questions.stream()
			.map(Question::says)
			.filter(no::equals)
			.findFirst()
			.orElseGet(() -> questions.isEmpty() ? "unasked" : questions.get(questions.size() - 1).says());
		return new Exchange(node, says, questions);
	}

	/** An acquisition, while it is read. */
	private static final class Attempt {

		private final String client;

		private final long from;

		private final long operation;

		private final HistoryEvent invoked;

		private @Nullable HistoryEvent answer;

		private final Map<Integer, List<Sent>> questions = new LinkedHashMap<>();

		private final Map<Integer, List<Sent>> releases = new TreeMap<>();

		Attempt(HistoryEvent invoked) {
			this.client = invoked.subject();
			this.from = invoked.at();
			this.operation = invoked.operation();
			this.invoked = invoked;
		}

		/**
		 * What the client itself tells of how it acquires; empty where the engine tells.
		 */
		Optional<String> told(String detail) {
			return Optional.of(this.invoked.detail(detail)).filter((text) -> !text.isEmpty());
		}

	}

	/** A command, with its answer if there is one. */
	private static final class Sent {

		private final HistoryEvent question;

		private @Nullable HistoryEvent answer;

		Sent(HistoryEvent question) {
			this.question = question;
		}

		/** Whether a node was told to delete a key, and had that of another client. */
		private boolean isOfAnother(HistoryEvent heard) {
			String deleted = heard.detail(HistoryEvent.DELETED_OF);
			return heard.detail("says").equals("yes") && !deleted.isEmpty()
					&& !deleted.equals(this.question.detail("owner"));
		}

		Question question(long end, String no) {
			HistoryEvent heard = this.answer;
			String command = this.question.detail("sent") + " → ";
			if (heard == null) {
				return new Question(this.question.at(), -1, "silent", command + "…");
			}
			String says = isOfAnother(heard) ? "other" : heard.detail("says");
			return new Question(this.question.at(), heard.at(),
					(heard.at() > end) ? "late" : says.equals("no") ? no : says, command + heard.detail("reply"));
		}

	}

}
