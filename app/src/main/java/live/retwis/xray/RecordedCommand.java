package live.retwis.xray;

/**
 * A command that was sent.
 *
 * @param trip number of its round trip, from 1
 * @param shown the command without secrets
 * @param left number of arguments that are left out
 * @param node host and port of the node
 * @param sent when it was sent, in ns of this JVM
 * @param arrived when its answer came; 0 when none came before the page was rendered
 * @param elements number of elements of the answer; -1 when that is not known
 * @param bytes size of the answer, roughly; -1 when that is not known
 * @param failed whether the answer was an error
 */
record RecordedCommand(int trip, Redaction.Shown shown, int left, String node, long sent, long arrived, int elements,
		long bytes, boolean failed) {

	RecordedCommand answered(long when, int elements, long bytes, boolean failed) {
		return new RecordedCommand(this.trip, this.shown, this.left, this.node, this.sent, when, elements, bytes,
				failed);
	}

	/** How long the answer took, in ns; 0 when none came. */
	long nanos() {
		return (this.arrived == 0) ? 0 : this.arrived - this.sent;
	}

}
