package live.retwis.locks.lab.design;

import java.time.Duration;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.check.RoundVerdict;
import live.retwis.locks.lab.check.Safety;
import live.retwis.locks.lab.design.ScheduledFault.Kind;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.play.LabSettings;
import live.retwis.locks.lab.play.RoundContext;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;
import live.retwis.locks.lab.play.ScenarioDescription.Need;

/**
 * A schedule that breaks a design, played on real nodes. One thread plays the clients. It
 * holds each command and each answer until its turn in the schedule. The nodes with their
 * keys, clocks and crashes are real, and so is the store.
 */
public final class CounterexampleScenario implements Scenario {

	/** Its number, which no other scenario has. */
	public static final String NUMBER = "design";

	/** The lease on real nodes. It is longer than in the search. */
	public static final Duration LEASE = Duration.ofNanos(DesignRound.LEASE).multipliedBy(PacedScheduler.SLOWNESS);

	private static final Duration NODE_TIMEOUT = Duration.ofNanos(DesignRound.NODE_TIMEOUT)
		.multipliedBy(PacedScheduler.SLOWNESS);

	private final RedlockDesign design;

	private final Counterexample found;

	/**
	 * The schedule, for a design.
	 * @param design may be another one than the one that the schedule breaks
	 * @param found a schedule for as many nodes as the design has
	 */
	public CounterexampleScenario(RedlockDesign design, Counterexample found) {
		this.design = design;
		this.found = found;
	}

	/** The settings for this scenario. The lab has 3 or 5 nodes. */
	public LabSettings settings() {
		return new LabSettings(
				(this.design.nodes() == RedlockDesign.FEWEST) ? RedlockDesign.FEWEST : RedlockDesign.MOST, LEASE,
				NODE_TIMEOUT, LabSettings.DEFAULT.fence());
	}

	/** Whether a schedule sets clocks of nodes. Not every machine can. */
	public static boolean needsClocks(Counterexample found) {
		return has(found, Kind.FAST_CLOCKS);
	}

	private static boolean has(Counterexample found, Kind kind) {
		return found.faults().stream().anyMatch((fault) -> fault.kind() == kind);
	}

	@Override
	public ScenarioDescription about() {
		ScenarioDescription about = ScenarioDescription.of(NUMBER, "design", "a counterexample, on real nodes", """
				The schedule that the search found, on real nodes and twice as slow. One thread plays the clients and \
				holds each command and each answer until its turn in the schedule. The nodes with their keys, clocks \
				and crashes are real, and so is the store. What the search found should happen here too.""")
			.withAnyNodes()
			.withLease(LEASE)
			.expect(expected(), LabEngine.DESIGN);
		ScenarioDescription durable = has(this.found, Kind.CRASH) ? about.needing(Need.DURABLE_NODES) : about;
		return needsClocks(this.found) ? durable.needing(Need.CLOCKS) : durable;
	}

	/** Two owners if the search found two, else a lost write. */
	private Expectation expected() {
		return (RoundVerdict.of(this.found.record()).lease() == Safety.UNSAFE)
				? new Expectation(Safety.UNSAFE, null, null) : new Expectation(null, Safety.UNSAFE, null);
	}

	@Override
	public boolean isDescribedFor(LabSettings settings) {
		return true;
	}

	@Override
	public void play(RoundContext round) {
		round.withoutClients();
		DesignRound.play(this.design, this.found.seed(), this.found.faults(), new RealWorld(round, this.design));
	}

}
