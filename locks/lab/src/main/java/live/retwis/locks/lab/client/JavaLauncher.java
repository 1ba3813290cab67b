package live.retwis.locks.lab.client;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * Finds the command that starts this program's code once more.
 */
final class JavaLauncher {

	private JavaLauncher() {
	}

	/**
	 * The command that starts a client. A packaged program is one jar, which starts
	 * itself.
	 * @param program the main class, for a program that is not packaged
	 */
	static List<String> client(Class<?> program, List<String> args) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
						"-XX:TieredStopAtLevel=1", "-Dslf4j.internal.verbosity=ERROR"));
		String path = System.getProperty("java.class.path");
		if (isProgram(path)) {
			command.addAll(List.of("-jar", path, "lab", "client"));
		}
		else {
			command.addAll(List.of("-cp", path, program.getName()));
		}
		command.addAll(args);
		return command;
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
