package live.retwis.breaking;

import live.retwis.cluster.ClusterFaultKind;
import live.retwis.cluster.ClusterFaultRecord;
import live.retwis.cluster.PartChange;
import live.retwis.cluster.PartState;
import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;

/** What is broken, and what became of it, in words. */
final class BreakTexts {

	private BreakTexts() {
	}

	/** What a button does. */
	static Localized action(ClusterFaultKind kind) {
		return switch (kind) {
			case KILL_INSTANCE -> Message.of("break.kill-instance");
			case KILL_ALL_BUT_ONE -> Message.of("break.kill-all-but-one");
			case PAUSE_INSTANCE -> Message.of("break.pause-instance");
			case CUT_INSTANCE -> Message.of("break.cut-instance");
			case SLOW_DATA -> Message.of("break.slow-data");
			case KILL_MASTER -> Message.of("break.kill-master");
			case KILL_LOCK_NODE -> Message.of("break.kill-lock-node");
		};
	}

	/** What was done. */
	static Localized done(ClusterFaultRecord breakage) {
		String part = breakage.part();
		return switch (breakage.kind()) {
			case KILL_INSTANCE, KILL_ALL_BUT_ONE, KILL_MASTER, KILL_LOCK_NODE -> Message.of("break.killed", part);
			case PAUSE_INSTANCE -> Message.of("break.paused", part);
			case CUT_INSTANCE -> Message.of("break.cut", part);
			case SLOW_DATA -> Message.of("break.slowed", part);
		};
	}

	static Localized state(PartState state) {
		return switch (state) {
			case UP -> Message.of("break.state-up");
			case NOT_READY -> Message.of("break.state-not-ready");
			case PAUSED -> Message.of("break.state-paused");
			case DOWN -> Message.of("break.state-down");
		};
	}

	/** What became of a part. */
	static Localized change(PartChange change) {
		String part = change.part();
		return switch (change.state()) {
			case UP -> change.master() ? Message.of("break.is-master", part) : Message.of("break.is-up", part);
			case NOT_READY -> Message.of("break.is-not-ready", part);
			case PAUSED -> Message.of("break.is-paused", part);
			case DOWN -> Message.of("break.is-down", part);
		};
	}

}
