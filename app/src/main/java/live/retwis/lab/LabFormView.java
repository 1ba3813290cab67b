package live.retwis.lab;

import java.util.List;
import java.util.stream.Stream;

import live.retwis.i18n.Localized;
import live.retwis.lab.LabScenarios.Themed;
import live.retwis.locks.lab.engine.FencingMode;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.play.FreePlay;
import org.jspecify.annotations.Nullable;

/**
 * The form that begins a run, with its options. Free play has a form of its own, because
 * it takes one engine, not several.
 *
 * @param id what the ids of its fields begin with, because a page may have both forms
 * @param free whether it begins free play
 * @param themes the scenarios to choose from, by theme; empty in free play
 */
record LabFormView(String id, boolean free, LabForm fields, List<Group> themes, List<Choice> engines,
		List<Choice> counts, List<Choice> fences, @Nullable Localized engineError) {

	/** In the order in which people know them. */
	private static final List<LabEngine> ENGINES = List.of(LabEngine.RAW, LabEngine.REDISSON, LabEngine.PARALLEL,
			LabEngine.RLOCK, LabEngine.RFENCED, LabEngine.SETNX_DEL, LabEngine.SETNX_WATCH, LabEngine.SETNX_LUA);

	/** The form as it was filled in. */
	static LabFormView of(LabForm form, LabScenarios scenarios) {
		return isFree(form) ? view("free", true, form, List.of()) : view("lab", false, form, groups(form, scenarios));
	}

	/** The form for scenarios, as it was filled in if it was this one. */
	static LabFormView scenario(LabForm form, LabScenarios scenarios) {
		return of(isFree(form) ? LabForm.fresh("0") : form, scenarios);
	}

	/** The form for free play, as it was filled in if it was this one. */
	static LabFormView free(LabForm form, LabScenarios scenarios) {
		return of(isFree(form) ? form : LabForm.fresh(FreePlay.NUMBER), scenarios);
	}

	private static boolean isFree(LabForm form) {
		return form.scenario().value().equals(FreePlay.NUMBER);
	}

	private static LabFormView view(String id, boolean free, LabForm form, List<Group> themes) {
		return new LabFormView(id, free, form, themes,
				ENGINES.stream()
					.map((engine) -> new Choice(engine.label(), LocalizedLabWords.engine(engine.label()),
							form.engines().contains(engine.label())))
					.toList(),
				Stream.of("5", "3")
					.map((count) -> new Choice(count, Localized.verbatim(count), count.equals(form.nodes().value())))
					.toList(),
				Stream.of(FencingMode.values())
					.map((mode) -> new Choice(mode.label(),
							LocalizedLabWords.text((words) -> words.text("fence." + mode.label())),
							mode == form.fencing()))
					.toList(),
				form.engineError());
	}

	private static List<Group> groups(LabForm form, LabScenarios scenarios) {
		return scenarios.themes().stream().map((theme) -> Group.of(theme, form.scenario().value())).toList();
	}

	/** The scenarios of a theme as options. */
	record Group(Localized name, List<Choice> scenarios) {

		static Group of(Themed theme, String chosen) {
			return new Group(theme.name(), theme.scenarios()
				.stream()
				.map((one) -> new Choice(one.number(), (language) -> one.number() + " " + one.title().in(language),
						one.number().equals(chosen) || one.name().equals(chosen)))
				.toList());
		}

	}

	/** An option of a list. */
	record Choice(String value, Localized text, boolean chosen) {
	}

}
