package live.retwis.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import live.retwis.locks.lab.LabListener;
import live.retwis.locks.lab.LabRun;
import live.retwis.locks.lab.RunRequest;
import live.retwis.locks.lab.check.LabViolation;
import live.retwis.locks.lab.history.HistoryEvent;
import live.retwis.locks.lab.history.HistoryEvent.Kind;
import live.retwis.locks.lab.history.RoundRecord;
import live.retwis.locks.lab.play.FreePlay;
import live.retwis.locks.lab.play.ManualAction;
import live.retwis.locks.lab.report.JudgedRound;
import live.retwis.locks.lab.report.LabReport;
import live.retwis.locks.lab.report.ReportText;

/**
 * A run from its beginning on: plays it, and tells the open pages. It remembers how each
 * round stands, for pages that are asked for meanwhile.
 */
final class ActiveRun implements LabListener {

	/**
	 * Violations of a round that pages are told: the last ones, and how many there are.
	 */
	private static final int TOLD = 50;

	private final RunSummary head;

	private final RunRequest order;

	private final String by;

	private final LabFeed feed;

	private final LabRun run = new LabRun(this);

	private final List<RoundStatus> rounds = new ArrayList<>();

	private final CompletableFuture<Void> end = new CompletableFuture<>();

	private volatile boolean kept;

	private volatile String error = "";

	/**
	 * Nothing is played yet.
	 * @param by who began it
	 */
	ActiveRun(RunSummary head, RunRequest order, String by, LabFeed feed) {
		this.head = head;
		this.order = order;
		this.by = by;
		this.feed = feed;
	}

	/** Plays all of it; blocks, for minutes. */
	LabReport play() {
		return this.run.play(this.order);
	}

	/** The round under way is broken off within seconds, and no other begins. */
	void stop() {
		this.run.stop();
	}

	/** As people ask for it: free play, which has no end of its own, is judged first. */
	void finish() {
		free().ifPresentOrElse(FreePlay::stop, this.run::stop);
	}

	/**
	 * Asks for something to be done to a node; what people ask for is done in its turn.
	 * @return whether this is a run in which people may, and a node that it has
	 */
	boolean act(ManualAction action) {
		boolean may = action.node() >= 1 && action.node() <= this.head.nodes();
		return may && free().map((play) -> play.act(action)).orElse(false);
	}

	private Optional<FreePlay> free() {
		return this.order.scenarios().stream().filter(FreePlay.class::isInstance).map(FreePlay.class::cast).findFirst();
	}

	@Override
	public void began(RoundRecord round) {
		replace(round, RoundStatus.began(round));
		this.feed.round(round);
	}

	@Override
	public void happened(HistoryEvent event) {
		if (event.kind() == Kind.NODES) {
			saw(event);
		}
		this.feed.happened(event);
	}

	@Override
	public void judged(JudgedRound round) {
		List<LabViolation> all = round.verdict().violations();
		List<LabViolation> last = all.subList(Math.max(0, all.size() - TOLD), all.size());
		String result = ReportText.result(round);
		note(round.record(), result, last.stream().map(LabViolation::what).toList());
		this.feed.tell("judged", new Told(round.record().scenario(), round.record().engine(), round.record().round(),
				result, String.valueOf(round.ending()), String.valueOf(round.expected()), all.size(), last));
	}

	@Override
	public void skipped(String line) {
		this.feed.tell("skipped", line);
	}

	private synchronized void saw(HistoryEvent nodes) {
		if (!this.rounds.isEmpty()) {
			int latest = this.rounds.size() - 1;
			this.rounds.set(latest, this.rounds.get(latest).saw(nodes.details()));
		}
	}

	/** One that broke before it began is noted, too. */
	private synchronized void note(RoundRecord round, String result, List<String> found) {
		RoundStatus now = this.rounds.stream()
			.filter((some) -> some.isSame(round))
			.findFirst()
			.orElseGet(() -> RoundStatus.began(round));
		replace(round, now.judged(result, found));
	}

	/** A round may begin anew. */
	private synchronized void replace(RoundRecord round, RoundStatus now) {
		this.rounds.removeIf((some) -> some.isSame(round));
		this.rounds.add(now);
	}

	/**
	 * It is over, and pages are told.
	 * @param stored whether it can be read from here on
	 * @param why the lab itself failed; empty if it did not
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

	/** Whether it was stored. */
	boolean isKept() {
		return this.kept;
	}

	/** Why the lab itself failed; empty if it did not. */
	String error() {
		return this.error;
	}

	/** Done when it is over. */
	CompletableFuture<Void> end() {
		return this.end;
	}

	/** All rounds so far, in their order. */
	synchronized List<RoundStatus> rounds() {
		return List.copyOf(this.rounds);
	}

	private record Told(String scenario, String engine, int round, String result, String ending, String expected,
			int count, List<LabViolation> violations) {
	}

	private record End(String run, boolean kept, String error) {
	}

}
