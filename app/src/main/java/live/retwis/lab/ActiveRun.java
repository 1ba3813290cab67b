package live.retwis.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import live.retwis.background.LowProcessPriority;
import live.retwis.i18n.Localized;
import live.retwis.locks.lab.LabListener;
import live.retwis.locks.lab.LabRun;
import live.retwis.locks.lab.RunRequest;
import live.retwis.locks.lab.check.LabViolation;
import live.retwis.locks.lab.check.RoundOutcome;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.RoundRecord;
import live.retwis.locks.lab.play.FreePlay;
import live.retwis.locks.lab.play.FreePlayAction;
import live.retwis.locks.lab.play.NodeAction;
import live.retwis.locks.lab.report.JudgedRound;
import live.retwis.locks.lab.report.LabReport;
import live.retwis.locks.lab.report.SkippedScenario;
import live.retwis.locks.lab.report.VerdictSentences;
import live.retwis.locks.lab.words.LabWords;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plays a run and sends its events to the open pages. It also keeps the state of each
 * round, for pages that are opened during the run.
 */
final class ActiveRun implements LabListener {

	/**
	 * Violations of one round that are sent to pages. If a round has more, these are the
	 * last ones.
	 */
	private static final int VIOLATIONS_SENT = 50;

	private static final Logger logger = LoggerFactory.getLogger(ActiveRun.class);

	private final RunSummary head;

	private final RunRequest order;

	private final String by;

	private final LabFeed feed;

	private final LabRun run = new LabRun(this);

	private final List<RoundStatusView> rounds = new ArrayList<>();

	private final List<SkippedScenario> skipped = new CopyOnWriteArrayList<>();

	private final CompletableFuture<Void> end = new CompletableFuture<>();

	private volatile boolean kept;

	private volatile String error = "";

	/**
	 * Creates a run that has not begun.
	 * @param by name of the user who begins the run
	 */
	ActiveRun(RunSummary head, RunRequest order, String by, LabFeed feed) {
		this.head = head;
		this.order = order;
		this.by = by;
		this.feed = feed;
	}

	/** Plays all rounds. Blocks for minutes. */
	LabReport play() {
		return this.run.play(this.order);
	}

	/** Breaks off the current round within seconds, and begins no other round. */
	void stop() {
		this.run.stop();
	}

	/**
	 * Ends the run for a user. Free play has no end of its own; it stops and is then
	 * judged.
	 */
	void finish() {
		free().ifPresentOrElse(FreePlay::stop, this.run::stop);
	}

	/**
	 * Asks for an action on a node or a client. Actions are done in the order in which
	 * they were asked for.
	 * @return false if this run takes no actions, or has no such node
	 */
	boolean act(FreePlayAction action) {
		boolean may = !(action instanceof NodeAction onNode)
				|| onNode.node() >= 1 && onNode.node() <= this.head.nodes();
		return may && free().map((play) -> play.act(action)).orElse(false);
	}

	/** Whether it is a free play whose clients do only what they are told. */
	boolean isByHand() {
		return free().filter(FreePlay::isByHand).isPresent();
	}

	private Optional<FreePlay> free() {
		return this.order.scenarios().stream().filter(FreePlay.class::isInstance).map(FreePlay.class::cast).findFirst();
	}

	@Override
	public void started(long pid) {
		LowProcessPriority.give(pid);
	}

	@Override
	public void began(RoundRecord round) {
		replace(round, RoundStatusView.began(round));
		this.feed.round(round);
	}

	@Override
	public void happened(HistoryEvent event) {
		saw(event);
		this.feed.happened(event);
	}

	@Override
	public void judged(JudgedRound round) {
		if (round.ending() == RoundOutcome.BROKEN) {
			logger.warn("Round {} of run {} of the lab failed: {}", round.record().round(), this.head.id(),
					round.record().error());
		}
		List<LabViolation> all = round.verdict().violations();
		List<LabViolation> last = all.subList(Math.max(0, all.size() - VIOLATIONS_SENT), all.size());
		note(round.record(), LocalizedLabWords.sentence((sentences) -> sentences.of(round)),
				last.stream()
					.map((found) -> LocalizedLabWords.sentence((sentences) -> sentences.violation(found)))
					.toList());
		this.feed.tell("judged", RoundJudgedMessage.of(round, all.size(), last));
	}

	@Override
	public void skipped(SkippedScenario scenario) {
		this.skipped.add(scenario);
		this.feed.tell("skipped", LabWords.inEach((words) -> new VerdictSentences(words).of(scenario)));
	}

	private synchronized void saw(HistoryEvent event) {
		if (!this.rounds.isEmpty()) {
			int latest = this.rounds.size() - 1;
			this.rounds.set(latest, this.rounds.get(latest).saw(event));
		}
	}

	/** A round that failed before it began is added here. */
	private synchronized void note(RoundRecord round, Localized result, List<Localized> found) {
		RoundStatusView now = this.rounds.stream()
			.filter((some) -> some.isSame(round))
			.findFirst()
			.orElseGet(() -> RoundStatusView.began(round));
		replace(round, now.judged(result, found));
	}

	/** A round that begins again takes the place of its first attempt. */
	private synchronized void replace(RoundRecord round, RoundStatusView now) {
		this.rounds.removeIf((some) -> some.isSame(round));
		this.rounds.add(now);
	}

	/**
	 * Tells the pages that the run is over.
	 * @param stored whether the run can now be read from the store
	 * @param why a word for a failure of the lab; empty if it did not fail
	 */
	void ended(boolean stored, String why) {
		this.kept = stored;
		this.error = why;
		this.feed.tell("end", new End(this.head.id(), stored, why));
		this.end.complete(null);
	}

	RunSummary head() {
		return this.head;
	}

	String by() {
		return this.by;
	}

	/** Whether the run was stored. */
	boolean isKept() {
		return this.kept;
	}

	/** A word for a failure of the lab; empty if it did not fail. */
	String error() {
		return this.error;
	}

	/** Completes when the run is over. */
	CompletableFuture<Void> end() {
		return this.end;
	}

	/** All rounds so far, in their order. */
	synchronized List<RoundStatusView> rounds() {
		return List.copyOf(this.rounds);
	}

	/** What was not played, in the language of the page. */
	List<Localized> skipped() {
		return this.skipped.stream().map(LocalizedLabWords::skipped).toList();
	}

	private record End(String run, boolean kept, String error) {
	}

}
