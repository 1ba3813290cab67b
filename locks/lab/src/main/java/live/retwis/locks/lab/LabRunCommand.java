package live.retwis.locks.lab;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import live.retwis.locks.lab.engine.FencingMode;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.history.HistoryJson;
import live.retwis.locks.lab.play.LabSettings;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.report.HtmlReport;
import live.retwis.locks.lab.report.JUnitXml;
import live.retwis.locks.lab.report.LabReport;
import live.retwis.locks.lab.report.ScenarioSummary;
import live.retwis.locks.lab.scenario.Scenarios;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command that plays scenarios.
 */
@Command(name = "run", description = "Plays one scenario, by its number or short name, or all.",
		exitCodeOnExecutionException = LabReport.NOT_SHOWN)
@SuppressWarnings("NullAway.Init")
final class LabRunCommand implements Callable<Integer> {

	private static final int MOST_ROUNDS = 1000;

	@Parameters(paramLabel = "<scenario>|all", description = "What to play; lab list names the scenarios.")
	private String scenario;

	@Option(names = "--engine", paramLabel = "A,B", split = ",", defaultValue = "redisson",
			description = "redisson (ours, the default), parallel (ours), raw (RedissonRedLock as it comes), "
					+ "rlock, rfenced (Redisson's locks on one node), setnx-del, setnx-watch, setnx-lua (those of tutorials).")
	private Set<LabEngine> engines;

	@Option(names = "--fence", paramLabel = "F", defaultValue = "engine",
			description = "How the store tells a late write: engine (as each has it, the default), none, number (a rising number).")
	private FencingMode fencing;

	@Option(names = "--seed", paramLabel = "N", defaultValue = "1",
			description = "Of the schedule of faults; 1 unless said.")
	private long seed;

	@Option(names = "--rounds", paramLabel = "N", defaultValue = "1", description = "1 to 1000; 1 unless said.")
	private int rounds;

	@Option(names = "--report", paramLabel = "FILE.json", description = "Writes the history of every round.")
	private @Nullable Path report;

	@Option(names = "--html", paramLabel = "FILE.html", description = "Writes a page that draws the rounds.")
	private @Nullable Path html;

	@Option(names = "--junit", paramLabel = "FILE.xml", description = "Writes a test report, for build servers.")
	private @Nullable Path junit;

	@Spec
	private CommandSpec spec;

	@Override
	public Integer call() throws IOException {
		List<Scenario> scenarios = this.scenario.equals("all") ? Scenarios.ALL
				: List.of(LabCommand.scenario(this.scenario, this.spec));
		check(this.rounds >= 1 && this.rounds <= MOST_ROUNDS,
				"--rounds is 1 to " + MOST_ROUNDS + ", not " + this.rounds);
		checkWritable("--report", this.report);
		checkWritable("--html", this.html);
		checkWritable("--junit", this.junit);
		LabReport played = new LabRun(new ProgressPrinter(this::tell)).play(new RunRequest(scenarios,
				List.copyOf(this.engines), LabSettings.DEFAULT.with(this.fencing), this.seed, this.rounds));
		if (this.report != null) {
			HistoryJson.write(this.report, played);
		}
		if (this.html != null) {
			Files.writeString(this.html, HtmlReport.of(played));
		}
		if (this.junit != null) {
			Files.writeString(this.junit, JUnitXml.of(played));
		}
		played.summaries().forEach(this::tell);
		return played.exitCode();
	}

	/** Checks this before the run, which may take long. */
	private void checkWritable(String option, @Nullable Path file) {
		if (file != null) {
			Path directory = file.toAbsolutePath().getParent();
			check(!Files.isDirectory(file) && directory != null && Files.isWritable(directory),
					option + ": " + file + " cannot be written");
		}
	}

	private void check(boolean holds, String message) {
		if (!holds) {
			throw new ParameterException(this.spec.commandLine(), message);
		}
	}

	private void tell(ScenarioSummary summary) {
		tell("%-4s %-9s %s; acquired in %.1f ms (p50), %.1f ms (p99)".formatted(summary.scenario(), summary.engine(),
				summary.endings()
					.entrySet()
					.stream()
					.map((ending) -> ending.getValue() + " " + ending.getKey())
					.collect(Collectors.joining(", ")),
				summary.p50(), summary.p99()));
	}

	private void tell(String line) {
		PrintWriter out = this.spec.commandLine().getOut();
		out.println(line);
		out.flush();
	}

}
