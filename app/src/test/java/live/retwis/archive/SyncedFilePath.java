package live.retwis.archive;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

import org.h2.store.fs.FileBaseDefault;
import org.h2.store.fs.FilePathWrapper;

/**
 * Files of H2 that show what a power cut leaves: whenever one is synced, it is copied to
 * {@code synced.mv.db} in its directory.
 */
public final class SyncedFilePath extends FilePathWrapper {

	static final String SCHEME = "synced";

	@Override
	public String getScheme() {
		return SCHEME;
	}

	@Override
	public FileChannel open(String mode) throws IOException {
		return new SyncedFile(super.open(mode), Path.of(getBase().toString()));
	}

	private static final class SyncedFile extends FileBaseDefault {

		private final FileChannel file;

		private final Path path;

		SyncedFile(FileChannel file, Path path) {
			this.file = file;
			this.path = path;
		}

		@Override
		public void force(boolean metaData) throws IOException {
			this.file.force(metaData);
			Path copy = Files.copy(this.path, this.path.resolveSibling("copy"), StandardCopyOption.REPLACE_EXISTING);
			Files.move(copy, this.path.resolveSibling("synced.mv.db"), StandardCopyOption.ATOMIC_MOVE);
		}

		@Override
		public int read(ByteBuffer target, long position) throws IOException {
			return this.file.read(target, position);
		}

		@Override
		public int write(ByteBuffer source, long position) throws IOException {
			return this.file.write(source, position);
		}

		@Override
		public long size() throws IOException {
			return this.file.size();
		}

		@Override
		protected void implTruncate(long size) throws IOException {
			this.file.truncate(size);
		}

		@Override
		public FileLock tryLock(long position, long size, boolean shared) throws IOException {
			return this.file.tryLock(position, size, shared);
		}

		@Override
		protected void implCloseChannel() throws IOException {
			this.file.close();
		}

	}

}
