package live.retwis.locks.lab.play;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import live.retwis.locks.lab.check.Expectation;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.words.LabWords;

/**
 * A scenario in words.
 *
 * @param number such as {@code 8a}
 * @param name short, such as {@code held-reply}
 * @param title one line
 * @param text for a student: what happens, why, and what is done about it
 * @param literature who has written about it; the text tells what they say
 * @param needs what the scenario cannot be played without
 * @param ownLease the lease that clients ask for, where the usual lease shows nothing
 * @param expected how it ends with each engine, in their order; it is not played with
 * engines that are missing
 */
public record ScenarioDescription(String number, String name, String title, String text,
		List<FurtherReading> literature, Set<Need> needs, Optional<Duration> ownLease,
		Map<LabEngine, Expectation> expected) {

	/** What a scenario needs, beyond nodes that forget everything in a crash. */
	public enum Need {

		/** Exactly five nodes, because the schedule names them. */
		FIVE_NODES,

		/** Nodes that keep their data over a crash. */
		DURABLE_NODES,

		/** Nodes whose clocks can be set. */
		CLOCKS

	}

	/** Begins a description with the names. The scenario is played with five nodes. */
	public static ScenarioDescription of(String number, String name, String title, String text) {
		return new ScenarioDescription(number, name, title, text, List.of(), Set.of(Need.FIVE_NODES), Optional.empty(),
				Map.of());
	}

	/** The same description with a need. */
	public ScenarioDescription needing(Need need) {
		Set<Need> all = EnumSet.of(need);
		all.addAll(this.needs);
		return new ScenarioDescription(this.number, this.name, this.title, this.text, this.literature, Set.copyOf(all),
				this.ownLease, this.expected);
	}

	/** The same description with a lease of its own. */
	public ScenarioDescription withLease(Duration lease) {
		return new ScenarioDescription(this.number, this.name, this.title, this.text, this.literature, this.needs,
				Optional.of(lease), this.expected);
	}

	/** The same description with literature. */
	public ScenarioDescription citing(FurtherReading... sources) {
		return new ScenarioDescription(this.number, this.name, this.title, this.text, List.of(sources), this.needs,
				this.ownLease, this.expected);
	}

	/** The same description for any number of nodes. */
	public ScenarioDescription withAnyNodes() {
		Set<Need> rest = EnumSet.copyOf(this.needs);
		rest.remove(Need.FIVE_NODES);
		return new ScenarioDescription(this.number, this.name, this.title, this.text, this.literature, Set.copyOf(rest),
				this.ownLease, this.expected);
	}

	/** Whether the scenario can be played with these settings. */
	public boolean playsWith(LabSettings settings) {
		return settings.nodes() == 5 || !this.needs.contains(Need.FIVE_NODES);
	}

	/** The same description with an expectation. */
	public ScenarioDescription expect(Expectation expectation, LabEngine... engines) {
		Map<LabEngine, Expectation> all = new EnumMap<>(LabEngine.class);
		all.putAll(this.expected);
		for (LabEngine engine : engines) {
			all.put(engine, expectation);
		}
		return new ScenarioDescription(this.number, this.name, this.title, this.text, this.literature, this.needs,
				this.ownLease, Collections.unmodifiableMap(all));
	}

	/** The same description with an expectation for both engines of this library. */
	public ScenarioDescription expectOurs(Expectation expectation) {
		return expect(expectation, LabEngine.REDISSON, LabEngine.PARALLEL);
	}

	/** The title in a language; in English where the language has none. */
	public String title(LabWords words) {
		return words.find("scenario." + this.number + ".title").orElse(this.title);
	}

	/** The text in a language; in English where the language has none. */
	public String text(LabWords words) {
		return words.find("scenario." + this.number + ".text").orElse(this.text);
	}

	/** Whether this is the number or the name of the scenario. */
	public boolean isCalled(String what) {
		return this.number.equals(what) || this.name.equals(what);
	}

}
