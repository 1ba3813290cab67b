package live.retwis.locks.lab.proxy;

/**
 * Which way bytes travel.
 */
public enum TrafficDirection {

	/** Commands. */
	TO_NODE,

	/** Replies. */
	TO_CLIENT

}
