package live.retwis.locks.lab;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import live.retwis.locks.lab.client.ClientMain;
import live.retwis.locks.lab.engine.FencingMode;
import live.retwis.locks.lab.engine.LabEngine;
import live.retwis.locks.lab.play.Scenario;
import live.retwis.locks.lab.play.ScenarioDescription;
import live.retwis.locks.lab.scenario.Scenarios;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * The lab on the command line: {@code lab list}, {@code lab show <scenario>} and
 * {@code lab run <scenario>|all}.
 */
@Command(name = "lab",
		customSynopsis = { "lab list", "       lab show <scenario>", "       lab run <scenario>|all [options]" },
		description = "Shows on real Redis nodes of its own what Redlock does while nodes, links, clocks and clients fail."
				+ " lab run --help tells its options.",
		footer = { "",
				"Ends with 0 when every round ended as described, 1 when one did not, 2 when one could not be brought about, "
						+ "broke, or the command was not understood." },
		subcommands = LabRunCommand.class)
@SuppressWarnings("NullAway.Init")
public final class LabCommand {

	/** Explains the lines that follow it. */
	private static final String ENDS = """
			How it ends with each engine. lease UNSAFE: two owners relied on the lock at once. effect UNSAFE: a write \
			was lost that had been acknowledged. ACQUIRED: somebody got the lock; NONE: nobody did.""";

	private final PrintWriter out;

	private final PrintWriter err;

	@Option(names = { "-h", "--help" }, usageHelp = true, scope = ScopeType.INHERIT,
			description = "Tells what there is.")
	private boolean help;

	@Spec
	private CommandSpec spec;

	/**
	 * A lab that writes to a terminal.
	 * @param out for what was asked for
	 * @param err for errors
	 */
	public LabCommand(PrintWriter out, PrintWriter err) {
		this.out = out;
		this.err = err;
	}

	/**
	 * Runs the command.
	 * @param args what follows {@code lab}
	 * @return the exit code
	 */
	public int run(List<String> args) {
		return new CommandLine(this).setOut(this.out)
			.setErr(this.err)
			.registerConverter(LabEngine.class, LabCommand::engine)
			.registerConverter(FencingMode.class, LabCommand::fencing)
			.execute(args.toArray(String[]::new));
	}

	@Command(name = "list", description = "Names the scenarios.")
	void list() {
		for (Scenario scenario : Scenarios.ALL) {
			ScenarioDescription about = scenario.about();
			this.out.printf("%-4s %-20s %s%n", about.number(), about.name(), about.title());
		}
	}

	@Command(name = "show", description = "Tells what happens in a scenario, and why, and what each engine ends with.")
	void show(@Parameters(paramLabel = "<scenario>", description = "Its number or short name.") String name) {
		ScenarioDescription about = scenario(name, this.spec).about();
		this.out.printf("%s %s: %s%n%n%s%n%n", about.number(), about.name(), about.title(), about.text());
		this.out.println(ENDS);
		about.expected().forEach((engine, expected) -> this.out.printf("%-9s %s%n", engine.label(), expected));
		about.literature().forEach((source) -> this.out.printf("%nTo read: %s", source));
		this.out.println();
	}

	/** Runs a client. This program starts the processes of its clients so. */
	@Command(name = "client", hidden = true)
	void client(@Parameters List<String> args) throws IOException {
		ClientMain.main(args.toArray(String[]::new));
	}

	private static LabEngine engine(String label) {
		return LabEngine.of(label.strip())
			.orElseThrow(() -> new TypeConversionException("There is no engine '" + label + "'. There are "
					+ Stream.of(LabEngine.compared()).map(LabEngine::label).collect(Collectors.joining(", "))));
	}

	private static FencingMode fencing(String label) {
		return FencingMode.of(label)
			.orElseThrow(() -> new TypeConversionException("There is no fence '" + label + "'. There are "
					+ Stream.of(FencingMode.values()).map(FencingMode::label).collect(Collectors.joining(", "))));
	}

	static Scenario scenario(String name, CommandSpec command) {
		return Scenarios.find(name)
			.orElseThrow(() -> new ParameterException(command.commandLine(), "There is no scenario '" + name
					+ "'. There are "
					+ Scenarios.ALL.stream().map((one) -> one.about().number()).collect(Collectors.joining(", "))
					+ ": see lab list"));
	}

	/** Runs the lab alone, without the site. */
	public static void main(String[] args) {
		int code = new LabCommand(new PrintWriter(System.out, true), new PrintWriter(System.err, true))
			.run(List.of(args));
		// Threads that a client library left behind must not keep the program from
		// ending.
		System.exit(code);
	}

}
