package live.retwis.locks.lab.check;

import java.util.ArrayList;
import java.util.List;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the checker with a simple one that looks at every millisecond.
 */
class MutualExclusionCheckerProperties {

	/** Time in milliseconds when all leases are over. */
	private static final int END = 4100;

	private static final int NEVER = END + 1;

	/**
	 * The events of one owner, in milliseconds.
	 *
	 * @param granted when the lock was granted
	 * @param valid how long it was valid
	 * @param extended when it was extended, or never
	 * @param released when it was released, or never
	 * @param dead when the client died, or never
	 */
	record Life(int granted, int valid, int extended, int released, int dead) {

		boolean relies(int now) {
			boolean inTime = now < this.granted + this.valid
					|| this.extended <= now && now < this.extended + this.valid;
			return this.granted <= now && inTime && now < this.released && now < this.dead;
		}

	}

	@Provide
	Arbitrary<List<Life>> lives() {
		Arbitrary<Integer> later = Arbitraries.integers().between(0, 1500);
		Arbitrary<Integer> maybe = Arbitraries.oneOf(later, Arbitraries.just(NEVER));
		return Combinators
			.combine(Arbitraries.integers().between(1, 1500), Arbitraries.integers().between(1, 1000), maybe, maybe,
					maybe)
			.as((granted, valid, extended, released, dead) -> new Life(granted, valid, after(granted, extended),
					after(granted, released), after(granted, dead)))
			.list()
			.ofMinSize(1)
			.ofMaxSize(4);
	}

	private static int after(int granted, int later) {
		return (later == NEVER) ? NEVER : granted + later;
	}

	@Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
	void findsTheSameViolationsAsASimpleChecker(@ForAll("lives") List<Life> lives) {
		Story story = new Story();
		for (int i = 0; i < lives.size(); i++) {
			tell(story, "client" + i, "owner" + i, lives.get(i));
		}
		assertThat(!MutualExclusionChecker.violations(story.record()).isEmpty()).isEqualTo(watch(lives));
	}

	private static void tell(Story story, String client, String owner, Life life) {
		story.acquires(client, owner, life.granted(), life.granted() + life.valid());
		if (life.released() != NEVER) {
			story.releases(client, owner, life.released());
		}
		if (life.dead() != NEVER) {
			story.dies(client, life.dead());
		}
		if (life.extended() != NEVER) {
			story.prolongs(client, owner, life.extended(), life.extended() + life.valid());
		}
	}

	/** Whether two owners rely on the lock at the same time. */
	private static boolean watch(List<Life> lives) {
		List<Integer> longest = new ArrayList<>();
		for (int i = 0; i < lives.size(); i++) {
			for (int j = i + 1; j < lives.size(); j++) {
				longest.add(together(lives.get(i), lives.get(j)));
			}
		}
		return longest.stream().anyMatch((millis) -> millis > 0);
	}

	private static int together(Life one, Life other) {
		int longest = 0;
		int run = 0;
		for (int now = 0; now < END; now++) {
			run = (one.relies(now) && other.relies(now)) ? run + 1 : 0;
			longest = Math.max(longest, run);
		}
		return longest;
	}

}
