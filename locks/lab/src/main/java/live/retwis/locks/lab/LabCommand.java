package live.retwis.locks.lab;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import live.retwis.locks.lab.client.ClientMain;
import live.retwis.locks.lab.history.HistoryJson;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;
import live.retwis.locks.lab.report.HtmlPage;
import live.retwis.locks.lab.report.JUnitXml;
import live.retwis.locks.lab.report.LabReport;
import live.retwis.locks.lab.report.ScenarioSummary;
import live.retwis.locks.lab.scenario.Scenarios;

/**
 * The lab on the command line: {@code lab list}, {@code lab show <scenario>} and
 * {@code lab run <scenario>|all}.
 */
public final class LabCommand {

	/** What it ends with when it was not understood. */
	public static final int USAGE = 2;

	private static final String HELP = """
			Usage: lab list
			       lab show <scenario>
			       lab run <scenario>|all [options]
			Shows on real Redis nodes of its own what Redlock does while nodes, links, clocks and clients fail.

			  list                 names the scenarios and what each engine ends with
			  show                 tells what happens in a scenario, and why
			  run                  plays one scenario, by its number or short name, or all
			    --engine=A,B       redisson (ours, default), parallel (ours), raw (RedissonRedLock as it comes),
			                       rlock, rfenced (Redisson's locks on one node)
			    --seed=N           of the schedule of faults; 1 unless said
			    --rounds=N         1 to 1000; 1 unless said
			    --report=FILE.json, --html=FILE.html, --junit=FILE.xml

			Ends with 0 when every round ended as described, 1 when one did not, 2 when one could not be brought
			about, broke, or the command was not understood.
			""";

	private final PrintWriter out;

	private final PrintWriter err;

	/**
	 * On a terminal.
	 * @param out for what was asked for
	 * @param err for errors
	 */
	public LabCommand(PrintWriter out, PrintWriter err) {
		this.out = out;
		this.err = err;
	}

	/**
	 * Runs it.
	 * @param args what follows {@code lab}
	 * @return the exit code
	 */
	public int run(List<String> args) {
		try {
			return dispatch(args);
		}
		catch (IllegalArgumentException ex) {
			this.err.println(ex.getMessage());
			return USAGE;
		}
		catch (IOException ex) {
			this.err.println("A report cannot be written: " + ex);
			return LabReport.NOT_SHOWN;
		}
		finally {
			this.out.flush();
			this.err.flush();
		}
	}

	private int dispatch(List<String> args) throws IOException {
		if (args.isEmpty() || args.contains("--help") || args.contains("-h")) {
			this.out.print(HELP);
			return args.isEmpty() ? USAGE : LabReport.AS_DESCRIBED;
		}
		List<String> rest = args.subList(1, args.size());
		return switch (args.get(0)) {
			case "list" -> list(rest);
			case "show" -> show(rest);
			case "run" -> run(LabArguments.parse(rest));
			// How this program starts the processes of its clients.
			case "client" -> client(rest);
			default -> throw new IllegalArgumentException(
					"There is no lab command '" + args.get(0) + "'; there are list, show and run. See lab --help");
		};
	}

	private int list(List<String> args) {
		if (!args.isEmpty()) {
			throw new IllegalArgumentException("lab list takes nothing, not '" + args.get(0) + "'");
		}
		for (Scenario scenario : Scenarios.ALL) {
			ScenarioDescription scenarioDescription = scenario.about();
			this.out.printf("%-4s %-20s %s%n", scenarioDescription.number(), scenarioDescription.name(),
					scenarioDescription.title());
		}
		return LabReport.AS_DESCRIBED;
	}

	private int show(List<String> args) {
		if (args.size() != 1) {
			throw new IllegalArgumentException("lab show takes one scenario; see lab list");
		}
		ScenarioDescription scenarioDescription = LabArguments.parse(args).order().scenarios().get(0).about();
		this.out.printf("%s %s: %s%n%n%s%n%n", scenarioDescription.number(), scenarioDescription.name(),
				scenarioDescription.title(), scenarioDescription.text());
		scenarioDescription.expected()
			.forEach((engine, expected) -> this.out.printf("%-9s %s%n", engine.label(), expected));
		scenarioDescription.literature().forEach((source) -> this.out.printf("%nTo read: %s", source));
		this.out.println();
		return LabReport.AS_DESCRIBED;
	}

	private int run(LabArguments args) throws IOException {
		LabReport report = new LabRun(new ProgressLines(this::tell)).play(args.order());
		for (Map.Entry<String, Path> file : args.files().entrySet()) {
			switch (file.getKey()) {
				case "html" -> Files.writeString(file.getValue(), HtmlPage.of(report));
				case "junit" -> Files.writeString(file.getValue(), JUnitXml.of(report));
				default -> HistoryJson.write(file.getValue(), report);
			}
		}
		report.summaries().forEach(this::tell);
		return report.exitCode();
	}

	private int client(List<String> args) throws IOException {
		ClientMain.main(args.toArray(String[]::new));
		return LabReport.AS_DESCRIBED;
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
		this.out.println(line);
		this.out.flush();
	}

	/** The lab alone, without the site. */
	public static void main(String[] args) {
		int code = new LabCommand(new PrintWriter(System.out, true), new PrintWriter(System.err, true))
			.run(List.of(args));
		// What a client library left behind does not hold the program.
		System.exit(code);
	}

}
