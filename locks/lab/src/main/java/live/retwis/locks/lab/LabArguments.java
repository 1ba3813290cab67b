package live.retwis.locks.lab;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.play.LabSettings;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.scenario.Scenarios;

/**
 * What to run.
 *
 * @param order what to play
 * @param files where to write reports, by the option's name
 */
record LabArguments(RunRequest order, Map<String, Path> files) {

	private static final int MOST_ROUNDS = 1000;

	private static final Set<String> FILES = Set.of("report", "html", "junit");

	private static final Set<String> OTHERS = Set.of("engine", "seed", "rounds");

	/**
	 * Reads what follows {@code lab run}.
	 * @throws IllegalArgumentException with what is wrong and what there is
	 */
	static LabArguments parse(List<String> args) {
		List<String> names = args.stream().filter((arg) -> !arg.startsWith("--")).toList();
		check(names.size() == 1, "lab run takes one scenario, or all. " + known());
		Map<String, String> options = options(args);
		Map<String, Path> files = new LinkedHashMap<>();
		options.forEach((name, value) -> {
			if (FILES.contains(name)) {
				files.put(name, file(name, value));
			}
		});
		RunRequest order = new RunRequest(scenarios(names.get(0)), engines(options.getOrDefault("engine", "redisson")),
				LabSettings.DEFAULT, number("seed", options.getOrDefault("seed", "1"), Long.MIN_VALUE, Long.MAX_VALUE),
				(int) number("rounds", options.getOrDefault("rounds", "1"), 1, MOST_ROUNDS));
		return new LabArguments(order, Map.copyOf(files));
	}

	private static Map<String, String> options(List<String> args) {
		Map<String, String> options = new LinkedHashMap<>();
		for (String arg : args) {
			if (arg.startsWith("--")) {
				String[] parts = arg.substring(2).split("=", 2);
				check(FILES.contains(parts[0]) || OTHERS.contains(parts[0]), "lab run has no option --" + parts[0]
						+ "; it has --engine, --seed, --rounds, --report, --html and --junit");
				check(parts.length == 2 && !parts[1].isBlank(),
						"--" + parts[0] + " takes a value: --" + parts[0] + "=…");
				check(options.put(parts[0], parts[1]) == null, "--" + parts[0] + " is there twice");
			}
		}
		return options;
	}

	private static List<Scenario> scenarios(String name) {
		if (name.equals("all")) {
			return Scenarios.ALL;
		}
		Optional<Scenario> found = Scenarios.find(name);
		check(found.isPresent(), "There is no scenario '" + name + "'. " + known());
		return found.stream().toList();
	}

	private static String known() {
		return "There are "
				+ Scenarios.ALL.stream().map((scenario) -> scenario.about().number()).collect(Collectors.joining(", "))
				+ ": see lab list";
	}

	private static List<LabEngine> engines(String names) {
		List<LabEngine> engines = new ArrayList<>();
		for (String name : names.split(",", -1)) {
			Optional<LabEngine> engine = LabEngine.of(name.strip());
			check(engine.isPresent(), "There is no engine '" + name + "'. There are "
					+ Stream.of(LabEngine.values()).map(LabEngine::label).collect(Collectors.joining(", ")));
			engine.filter((one) -> !engines.contains(one)).ifPresent(engines::add);
		}
		return engines;
	}

	private static long number(String option, String value, long least, long most) {
		try {
			long number = Long.parseLong(value);
			check(number >= least && number <= most, "--" + option + " is " + least + " to " + most + ", not " + value);
			return number;
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException("--" + option + " is a whole number, not '" + value + "'", ex);
		}
	}

	private static Path file(String option, String value) {
		Path file = Path.of(value).toAbsolutePath();
		check(!Files.isDirectory(file) && file.getParent() != null && Files.isWritable(file.getParent()),
				"--" + option + ": " + value + " cannot be written");
		return file;
	}

	private static void check(boolean holds, String message) {
		if (!holds) {
			throw new IllegalArgumentException(message);
		}
	}

}
