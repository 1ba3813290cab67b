package live.retwis.archive;

/** A search of the archive took too long. The archive itself may be well. */
public class ArchiveSearchTooSlowException extends ArchiveAwayException {

	ArchiveSearchTooSlowException() {
		super("The search of the archive of old posts takes too long");
	}

}
