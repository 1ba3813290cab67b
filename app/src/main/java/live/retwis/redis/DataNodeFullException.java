package live.retwis.redis;

/** A data node is nearly full, so nothing that makes the data grow is taken. */
public class DataNodeFullException extends RuntimeException {

	DataNodeFullException() {
		super("A data node is nearly full", null, false, false);
	}

}
