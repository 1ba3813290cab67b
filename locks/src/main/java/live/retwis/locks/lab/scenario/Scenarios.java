package live.retwis.locks.lab.scenario;

import java.util.List;
import java.util.Optional;

import live.retwis.locks.lab.play.Scenario;

/**
 * All scenarios, in the order of their numbers.
 */
public final class Scenarios {

	/** What there is. */
	public static final List<Scenario> ALL = List.of(new Contention(), StoppedHolder.writing(),
			StoppedHolder.releasing(), ClockJumps.atThree(), ClockJumps.atFive(), new FastClocks(), Crash.forgetting(),
			Crash.late(), Crash.durable(), new Failover(), new Cut(), new MajorityCut(), Delay.under(), Delay.over(),
			new HeldReply(), new HeldReplies(), new AllPaused(), new SplitVote(), new LostRelease(),
			RandomWalk.withinTheModel(), RandomWalk.withAllFaults(), new LatePexpire(), new LateVote(),
			new Asymmetric(), new OtherNodes(), new Killed(), new Flush(), new LateKeys());

	private Scenarios() {
	}

	/** The one with that number or short name. */
	public static Optional<Scenario> find(String name) {
		return ALL.stream().filter((scenario) -> scenario.about().isCalled(name)).findFirst();
	}

}
