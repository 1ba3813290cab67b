package live.retwis.locks.lab.scenario;

import java.util.List;
import java.util.Optional;

import live.retwis.locks.lab.play.Scenario;

/**
 * All scenarios, in the order of their numbers.
 */
public final class Scenarios {

	/** All scenarios. */
	public static final List<Scenario> ALL = List.of(new ContentionScenario(), PausedHolderScenarios.writing(),
			PausedHolderScenarios.releasing(), PausedHolderScenarios.early(), ClockJumpScenarios.atThree(),
			ClockJumpScenarios.atFive(), new FastClocksScenario(), CrashScenarios.forgetting(), CrashScenarios.late(),
			CrashScenarios.durable(), new FailoverScenario(), new MinorityCutScenario(), new MajorityCutScenario(),
			SlowLinkScenarios.under(), SlowLinkScenarios.over(), new HeldReplyScenario(),
			new HeldMajorityRepliesScenario(), new AllPausedScenario(), new SplitVoteScenario(),
			new LostReleaseScenario(), RandomWalkScenarios.withinTheModel(), RandomWalkScenarios.withAllFaults(),
			new LatePexpireScenario(), new LateVoteScenario(), new HolderCutScenario(),
			new DifferentNodeListsScenario(), new KilledHolderScenario(), new FlushScenario(), new LateKeysScenario());

	private Scenarios() {
	}

	/** The scenario with that number or short name. */
	public static Optional<Scenario> find(String name) {
		return ALL.stream().filter((scenario) -> scenario.about().isCalled(name)).findFirst();
	}

}
