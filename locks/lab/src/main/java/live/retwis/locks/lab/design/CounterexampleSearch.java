package live.retwis.locks.lab.design;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import live.retwis.locks.lab.check.Safety;
import live.retwis.locks.lab.check.Verdict;

/**
 * Searches a schedule that breaks a design: two clients rely on the lock at the same
 * time, or the store loses an acknowledged write. It begins without faults and adds one
 * at a time, so the first schedule that it finds has the fewest faults. The same seed
 * finds the same schedule.
 */
public final class CounterexampleSearch {

	/** Most faults of a schedule. */
	public static final int MOST_FAULTS = 4;

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
	 */
	public Optional<Counterexample> run(long first) {
		return IntStream.rangeClosed(0, MOST_FAULTS)
			.boxed()
			.flatMap((number) -> LongStream.range(first, first + this.schedules)
				.takeWhile((seed) -> !this.stopped.getAsBoolean())
				.boxed()
				.map((seed) -> new Schedule(seed, faults(seed, number)))
				.filter((schedule) -> breaks(this.design, schedule)))
			.findFirst()
			.map(this::shortened)
			.map(this::explained);
	}

	private List<ScheduledFault> faults(long seed, int number) {
		Random random = new Random(seed * (MOST_FAULTS + 1) + number);
		return IntStream.range(0, number)
			.mapToObj((i) -> ScheduledFault.any(random, DesignRound.CLIENTS, this.design.nodes()))
			.toList();
	}

	private static boolean breaks(RedlockDesign design, Schedule schedule) {
		Verdict verdict = Verdict.of(DesignRound.playQuickly(design, schedule.seed(), schedule.faults()));
		return verdict.lease() == Safety.UNSAFE || verdict.effect() == Safety.UNSAFE;
	}

	/** Leaves out each fault without which the design breaks all the same. */
	private Schedule shortened(Schedule found) {
		Schedule shortest = found;
		for (ScheduledFault fault : found.faults()) {
			List<ScheduledFault> fewer = new ArrayList<>(shortest.faults());
			fewer.remove(fault);
			Schedule shorter = new Schedule(found.seed(), fewer);
			shortest = breaks(this.design, shorter) ? shorter : shortest;
		}
		return shortest;
	}

	/** Plays the schedule again with each weakness mended, and once more to record it. */
	private Counterexample explained(Schedule found) {
		List<Weakness> causes = Weakness.of(this.design)
			.stream()
			.filter((weakness) -> !breaks(weakness.mendedIn(this.design), found))
			.toList();
		return new Counterexample(found.seed(), found.faults(), causes,
				DesignRound.play(this.design, found.seed(), found.faults()));
	}

	private record Schedule(long seed, List<ScheduledFault> faults) {
	}

}
