package live.retwis.locks.nodes;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The directory for what all instances of one user on this machine share:
 * {@code ${java.io.tmpdir}/retwis-live-<user>}. A program in it is executed, and a lock
 * in it is trusted. So it must belong to this user, and nobody else may write to it.
 */
public final class UserTempDirectory {

	private UserTempDirectory() {
	}

	/**
	 * Makes the directory unless it is there.
	 * @return the directory
	 * @throws RedisStartException when it cannot be made, or when others may write to it
	 */
	public static Path directory() {
		String user = System.getProperty("user.name", "").replaceAll("[^A-Za-z0-9._-]", "_");
		return directory(Path.of(System.getProperty("java.io.tmpdir"), "retwis-live-" + user));
	}

	static Path directory(Path directory) {
		try {
			if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
				create(directory);
			}
			String mode = PosixFilePermissions
				.toString(Files.getPosixFilePermissions(directory, LinkOption.NOFOLLOW_LINKS));
			if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS) || !mode.endsWith("------")
					|| !isMine(directory)) {
				throw new RedisStartException(directory + " is not this user's alone; remove it");
			}
			return directory;
		}
		catch (UnsupportedOperationException ex) {
			throw new RedisStartException("Redis nodes do not start by themselves on " + System.getProperty("os.name")
					+ ": run this in WSL 2", ex);
		}
		catch (IOException ex) {
			throw new RedisStartException("No directory " + directory + " for the Redis nodes of this machine: " + ex,
					ex);
		}
	}

	private static void create(Path directory) throws IOException {
		try {
			Files.createDirectory(directory,
					PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
		}
		catch (FileAlreadyExistsException ex) {
			// Another instance made it first. The check that follows judges it.
		}
	}

	private static boolean isMine(Path directory) throws IOException {
		Path probe = Files.createTempFile(directory, "owner", null);
		try {
			return Files.getOwner(probe).equals(Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS));
		}
		finally {
			Files.delete(probe);
		}
	}

}
