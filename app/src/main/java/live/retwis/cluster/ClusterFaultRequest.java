package live.retwis.cluster;

/**
 * What somebody wants to be broken.
 *
 * @param kind what
 * @param instance name of the instance that it is about
 * @param seconds after which it is healed, from 1 to 30
 * @param by name of the user
 */
public record ClusterFaultRequest(ClusterFaultKind kind, String instance, int seconds, String by) {

	/** The longest time that something stays broken. */
	public static final int MOST_SECONDS = 30;

	/** By how much a slow data node is slower. */
	public static final int SLOW_MILLIS = 300;

}
