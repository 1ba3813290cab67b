package live.retwis.archive;

import org.springframework.dao.DataAccessResourceFailureException;

/**
 * The archive cannot be reached, does not answer in time, or was not opened yet. What is
 * in Redis is not affected.
 */
public class ArchiveAwayException extends DataAccessResourceFailureException {

	/** Creates an exception with a message for the log. */
	public ArchiveAwayException(String message) {
		super(message);
	}

	ArchiveAwayException(Throwable cause) {
		super("The archive of old posts does not answer: " + cause.getMessage(), cause);
	}

}
