package live.retwis.redis;

/**
 * A write was made, but too few replicas confirmed it in time. It may be lost with the
 * master.
 */
public class NotConfirmedException extends RuntimeException {

	NotConfirmedException(long confirmed, int wanted) {
		super(confirmed + " of " + wanted + " replicas confirmed the write", null, false, false);
	}

}
