package live.retwis.locks.lab.client;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/**
 * Finds the command that starts this program's code once more.
 */
public final class JavaCommandLine {

	private JavaCommandLine() {
	}

	/**
	 * The command that starts a client of the lab. A packaged program is one jar, which
	 * starts itself.
	 * @param program the main class, for a program that is not packaged
	 */
	static List<String> client(Class<?> program, List<String> args) {
		List<String> options = List.of("-Xmx128m", "-Dslf4j.internal.verbosity=ERROR");
		return isProgram() ? jar(options, Stream.concat(Stream.of("lab", "client"), args.stream()).toList())
				: classes(options, program, args);
	}

	/**
	 * The command that starts this program once more, with other arguments. The JVM
	 * starts fast and stays small.
	 * @param options of the JVM
	 * @param program the main class, for a program that is not packaged
	 * @param args arguments of the program
	 */
	public static List<String> program(List<String> options, Class<?> program, List<String> args) {
		return isProgram() ? jar(options, args) : classes(options, program, args);
	}

	private static List<String> jar(List<String> options, List<String> args) {
		return java(options, List.of("-jar", classPath()), args);
	}

	private static List<String> classes(List<String> options, Class<?> program, List<String> args) {
		return java(options, List.of("-cp", classPath(), program.getName()), args);
	}

	private static List<String> java(List<String> options, List<String> program, List<String> args) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
						"-XX:TieredStopAtLevel=1"));
		command.addAll(options);
		command.addAll(program);
		command.addAll(args);
		return command;
	}

	private static String classPath() {
		return System.getProperty("java.class.path");
	}

	private static boolean isProgram() {
		return isProgram(classPath());
	}

	private static boolean isProgram(String path) {
		if (path.contains(File.pathSeparator) || !path.endsWith(".jar")) {
			return false;
		}
		try (JarFile jar = new JarFile(path)) {
			Manifest manifest = jar.getManifest();
			return manifest != null && manifest.getMainAttributes().containsKey(Attributes.Name.MAIN_CLASS)
					&& !manifest.getMainAttributes().containsKey(Attributes.Name.CLASS_PATH);
		}
		catch (IOException ex) {
			return false;
		}
	}

}
