package live.retwis.lab;

import java.util.List;
import java.util.stream.Stream;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.lab.LabFormView.Choice;
import live.retwis.locks.lab.play.ClientAction;
import live.retwis.locks.lab.play.NodeAction;

/** What can be done by hand in a free play, as options of a form. */
final class ActionChoices {

	private ActionChoices() {
	}

	/** What can be done to a node. */
	static List<Choice> onNodes() {
		return Stream.of(NodeAction.Kind.values()).map((kind) -> new Choice(kind.label(), name(kind), false)).toList();
	}

	/**
	 * What can be done to a client.
	 * @param byHand whether the clients do what they are told
	 */
	static List<Choice> onClients(boolean byHand) {
		return Stream.of(ClientAction.Kind.values())
			.filter((kind) -> byHand || !kind.isOrder())
			.map((kind) -> new Choice(kind.label(), name(kind), false))
			.toList();
	}

	private static Localized name(NodeAction.Kind kind) {
		return switch (kind) {
			case KILL -> Message.of("script.lab.action.kill");
			case KILL_AND_FORGET -> Message.of("script.lab.action.kill-and-forget");
			case RESTART -> Message.of("script.lab.action.restart");
			case PAUSE -> Message.of("script.lab.action.pause");
			case RESUME -> Message.of("script.lab.action.resume");
			case MEND -> Message.of("script.lab.action.mend");
			case DELAY -> Message.of("script.lab.action.delay");
			case CUT -> Message.of("script.lab.action.cut");
			case CLOCK -> Message.of("script.lab.action.clock");
			case FLUSH -> Message.of("script.lab.action.flush");
			case PROMOTE -> Message.of("script.lab.action.promote");
		};
	}

	private static Localized name(ClientAction.Kind kind) {
		return switch (kind) {
			case PAUSE -> Message.of("script.lab.action.pause");
			case RESUME -> Message.of("script.lab.action.resume");
			case KILL -> Message.of("script.lab.action.kill");
			case RESTART -> Message.of("script.lab.action.restart");
			case ACQUIRE -> Message.of("script.lab.action.acquire");
			case WRITE -> Message.of("script.lab.action.write");
			case RELEASE -> Message.of("script.lab.action.release");
		};
	}

}
