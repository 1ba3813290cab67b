package live.retwis.locks.lab.scenario;

import java.util.List;
import java.util.Optional;

import live.retwis.locks.lab.play.Scenario;

/**
 * All scenarios, in the order of their numbers.
 */
public final class Scenarios {

	/** All scenarios. */
	public static final List<Scenario> ALL = List.of(new ContentionScenario(), PausedHolderScenario.writing(),
			PausedHolderScenario.releasing(), PausedHolderScenario.early(), ClockJumpScenario.atThree(),
			ClockJumpScenario.atFive(), new FastClocksScenario(), CrashScenario.forgetting(), CrashScenario.late(),
			CrashScenario.durable(), new FailoverScenario(), new MinorityCutScenario(), new MajorityCutScenario(),
			SlowLinkScenario.under(), SlowLinkScenario.over(), new HeldReplyScenario(),
			new HeldMajorityRepliesScenario(), new AllNodesPausedScenario(), new SplitVoteScenario(),
			new LostReleaseScenario(), RandomWalkScenario.withinTheModel(), RandomWalkScenario.withAllFaults(),
			new LatePexpireScenario(), new LateVoteScenario(), new HolderCutScenario(),
			new DifferentNodeListsScenario(), new KilledHolderScenario(), new FlushScenario(), new LateKeysScenario());

	private Scenarios() {
	}

	/** The scenario with that number or short name. */
	public static Optional<Scenario> find(String name) {
		return ALL.stream().filter((scenario) -> scenario.about().isCalled(name)).findFirst();
	}

}
