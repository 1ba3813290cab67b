package live.retwis.lab;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.locks.lab.RunRequest;
import live.retwis.locks.lab.engine.FencingMode;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.play.FreePlay;
import live.retwis.locks.lab.play.LabSettings;
import live.retwis.locks.lab.play.ScenarioDescription;
import live.retwis.web.FormField;
import live.retwis.web.SubmittedForm;
import org.jspecify.annotations.Nullable;

/**
 * The form that begins a run. A field with a mistake has a message.
 *
 * @param scenario number of the scenario
 * @param engines names of the chosen engines
 * @param engineError what is wrong with the chosen engines; null when nothing is
 * @param nodes number of lock nodes
 * @param lease lease time in ms
 * @param nodeTimeout time-out of a lock node in ms
 * @param seed seed of the schedules
 * @param rounds number of rounds for each engine
 * @param fencing how the store tells a late write; the engine's own if the form has none
 */
record LabForm(FormField scenario, List<String> engines, @Nullable Localized engineError, FormField nodes,
		FormField lease, FormField nodeTimeout, FormField seed, FormField rounds, FencingMode fencing, boolean byHand) {

	/**
	 * Chosen at first: Redisson's own lock and ours, because comparing them is the
	 * purpose of the lab.
	 */
	private static final List<LabEngine> COMPARED = List.of(LabEngine.RAW, LabEngine.REDISSON);

	/** A form as it is first shown. */
	static LabForm fresh(String scenario) {
		LabSettings preset = LabSettings.DEFAULT;
		List<LabEngine> chosen = scenario.equals(FreePlay.NUMBER) ? List.of(LabEngine.REDISSON) : COMPARED;
		return new LabForm(new FormField(scenario, null), chosen.stream().map(LabEngine::label).toList(), null,
				value(preset.nodes()), value(preset.lease().toMillis()), value(preset.nodeTimeout().toMillis()),
				value(1), value(1), FencingMode.ENGINE, false);
	}

	private static FormField value(long number) {
		return new FormField(Long.toString(number), null);
	}

	/**
	 * Reads a form that was sent.
	 * @param scenarios the scenarios that can be chosen
	 * @param mostRounds the most rounds of a run, all engines together
	 */
	static LabForm of(SubmittedForm sent, LabScenarios scenarios, int mostRounds) {
		List<String> engines = sent.all("engine");
		Optional<ScenarioDescription> scenarioDescription = scenarios.find(sent.get("scenario"));
		FormField nodes = nodes(sent.get("nodes"));
		return new LabForm(new FormField(sent.get("scenario"), scenarioFault(scenarioDescription, nodes)), engines,
				engineFault(engines, scenarioDescription), nodes, number(sent.get("lease"), 500, 5000),
				number(sent.get("node_timeout"), 10, 1000), number(sent.get("seed"), Long.MIN_VALUE, Long.MAX_VALUE),
				number(sent.get("rounds"), 1,
						scenarioDescription.filter((one) -> one.isCalled(FreePlay.NUMBER)).isPresent() ? 1
								: mostRounds / Math.max(engines.size(), 1)),
				FencingMode.of(sent.get("fence")).orElse(FencingMode.ENGINE), !sent.get("by_hand").isEmpty());
	}

	private static @Nullable Localized scenarioFault(Optional<ScenarioDescription> scenarioDescription,
			FormField nodes) {
		if (scenarioDescription.isEmpty()) {
			return Message.of("lab-form.scenario-missing");
		}
		boolean five = nodes.value().equals("5");
		LabSettings preset = LabSettings.DEFAULT;
		return (nodes.error() != null || five
				|| scenarioDescription.get()
					.playsWith(new LabSettings(3, preset.lease(), preset.nodeTimeout(), preset.fence()))) ? null
							: Message.of("lab-form.five-nodes");
	}

	private static @Nullable Localized engineFault(List<String> engines,
			Optional<ScenarioDescription> scenarioDescription) {
		List<Optional<LabEngine>> found = engines.stream().distinct().map(LabEngine::of).toList();
		if (found.isEmpty() || found.size() < engines.size() || found.stream().anyMatch(Optional::isEmpty)) {
			return Message.of("lab-form.engine-missing");
		}
		if (found.size() > 1 && scenarioDescription.filter((one) -> one.isCalled(FreePlay.NUMBER)).isPresent()) {
			return Message.of("lab-form.engine-single");
		}
		boolean told = scenarioDescription.isEmpty() || found.stream()
			.flatMap(Optional::stream)
			.anyMatch((engine) -> scenarioDescription.get().expected().containsKey(engine));
		return told ? null : Message.of("lab-form.engine-unfit");
	}

	private static FormField nodes(String text) {
		return List.of("3", "5").contains(text) ? new FormField(text, null)
				: new FormField(text, Message.of("lab-form.nodes-wrong"));
	}

	private static FormField number(String text, long least, long most) {
		try {
			long number = Long.parseLong(text.strip());
			if (number >= least && number <= most) {
				return value(number);
			}
		}
		catch (NumberFormatException ex) {
			// The message below says what is allowed.
		}
		return new FormField(text, Message.of("lab-form.number", Long.toString(least), Long.toString(most)));
	}

	boolean isRight() {
		return this.engineError == null
				&& Stream.of(this.scenario, this.nodes, this.lease, this.nodeTimeout, this.seed, this.rounds)
					.allMatch((field) -> field.error() == null);
	}

	/** What the form asks for. It must be without mistakes. */
	RunRequest order(ScenarioDescription scenarioDescription) {
		LabSettings settings = new LabSettings(Integer.parseInt(this.nodes.value()),
				Duration.ofMillis(Long.parseLong(this.lease.value())),
				Duration.ofMillis(Long.parseLong(this.nodeTimeout.value())), this.fencing);
		return new RunRequest(List.of(LabScenarios.scenario(scenarioDescription, this.byHand)),
				this.engines.stream().map(LabEngine::of).flatMap(Optional::stream).toList(), settings,
				Long.parseLong(this.seed.value()), Integer.parseInt(this.rounds.value()));
	}

}
