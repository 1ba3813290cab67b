package live.retwis.locks.lab.design;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import live.retwis.locks.lab.check.RoundVerdict;
import live.retwis.locks.lab.check.Safety;

/**
 * Searches a schedule that breaks a design: two clients rely on the lock at the same
 * time, or the store loses an acknowledged write. It begins without faults and adds one
 * at a time, so the first schedule that it finds has the fewest faults. Of these it
 * prefers one that does not depend on a few milliseconds. The same seed finds the same
 * schedule.
 */
public final class CounterexampleSearch {

	/** Most faults of a schedule. */
	public static final int MOST_FAULTS = 4;

	/** How often a schedule that breaks the design is played with delays. */
	private static final int LATE_TRIALS = 5;

	private final RedlockDesign design;

	private final int schedules;

	private final BooleanSupplier stopped;

	/**
	 * Prepares a search.
	 * @param schedules how many schedules are tried for each number of faults
	 * @param stopped asked before each schedule; the search ends without a result when it
	 * is true
	 */
	public CounterexampleSearch(RedlockDesign design, int schedules, BooleanSupplier stopped) {
		this.design = design;
		this.schedules = schedules;
		this.stopped = stopped;
	}

	/**
	 * Searches on the calling thread.
	 * @param first the first seed
	 * @return empty when no schedule breaks the design, or when the search was stopped
	 * before it found one
	 */
	public Optional<Counterexample> run(long first) {
		for (int number = 0; number <= MOST_FAULTS; number++) {
			Optional<Schedule> fragile = Optional.empty();
			for (long seed = first; seed < first + this.schedules; seed++) {
				if (this.stopped.getAsBoolean()) {
					return fragile.map((found) -> explained(shortened(found, this::breaks)));
				}
				Schedule schedule = new Schedule(seed, faults(seed, number));
				if (breaks(schedule)) {
					if (breaksAlsoLate(schedule)) {
						return Optional.of(explained(shortened(schedule, this::breaksAlsoLate)));
					}
					fragile = fragile.or(() -> Optional.of(schedule));
				}
			}
			if (fragile.isPresent()) {
				return fragile.map((found) -> explained(shortened(found, this::breaks)));
			}
		}
		return Optional.empty();
	}

	private List<ScheduledFault> faults(long seed, int number) {
		Random random = new Random(seed * (MOST_FAULTS + 1) + number);
		return IntStream.range(0, number)
			.mapToObj((i) -> ScheduledFault.any(random, DesignRound.CLIENTS, this.design.nodes()))
			.toList();
	}

	private boolean breaks(Schedule schedule) {
		return breaks(this.design, schedule, new DesignScheduler());
	}

	/**
	 * Whether it breaks the design, and would also do so on real nodes, where nothing
	 * happens exactly in time.
	 */
	private boolean breaksAlsoLate(Schedule schedule) {
		return breaks(schedule) && LongStream.range(0, LATE_TRIALS)
			.allMatch((seed) -> breaks(this.design, schedule, new DelayedClockReadScheduler(seed)));
	}

	private static boolean breaks(RedlockDesign design, Schedule schedule, DesignScheduler clock) {
		RoundVerdict verdict = verdict(design, schedule, clock);
		return verdict.lease() == Safety.UNSAFE || verdict.effect() == Safety.UNSAFE;
	}

	private static RoundVerdict verdict(RedlockDesign design, Schedule schedule, DesignScheduler clock) {
		return RoundVerdict.of(DesignRound.playQuickly(design, schedule.seed(), schedule.faults(), clock));
	}

	/** Removes each fault that the schedule does not need to break the design. */
	private static Schedule shortened(Schedule found, Predicate<Schedule> breaks) {
		Schedule shortest = found;
		for (ScheduledFault fault : found.faults()) {
			List<ScheduledFault> fewer = new ArrayList<>(shortest.faults());
			fewer.remove(fault);
			Schedule shorter = new Schedule(found.seed(), fewer);
			shortest = breaks.test(shorter) ? shorter : shortest;
		}
		return shortest;
	}

	/** Plays the schedule again with each weakness mended, and once more to record it. */
	private Counterexample explained(Schedule found) {
		RoundVerdict broken = verdict(this.design, found, new DesignScheduler());
		Map<Weakness, MendingOutcome> mendings = Weakness.of(this.design)
			.stream()
			.collect(Collectors.toMap(Function.identity(), (weakness) -> MendingOutcome.of(broken,
					verdict(weakness.mendedIn(this.design), found, new DesignScheduler()))));
		return new Counterexample(found.seed(), found.faults(), mendings,
				DesignRound.play(this.design, found.seed(), found.faults()));
	}

	private record Schedule(long seed, List<ScheduledFault> faults) {
	}

}
