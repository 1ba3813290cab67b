package live.retwis.restriction;

import live.retwis.testing.Answer;
import live.retwis.testing.Visitor;

/** What a person does on the profile of another. */
final class RestrictingVisitor {

	private RestrictingVisitor() {
	}

	/** Presses a button on the other's profile, such as {@code mute}. */
	static Answer press(Visitor visitor, String button, Visitor other) {
		visitor.get("/@" + other.name());
		return visitor.submit("/@" + other.name() + "/" + button);
	}

}
