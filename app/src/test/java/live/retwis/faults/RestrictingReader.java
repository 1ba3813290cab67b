package live.retwis.faults;

import java.io.UncheckedIOException;
import java.util.Random;

import live.retwis.faults.WorkloadPeople.Subscription;
import live.retwis.testing.Answer;
import live.retwis.testing.Visitor;

/**
 * A reader who mutes or blocks an author in the middle of a workload.
 *
 * @param subscription the stream of the reader
 * @param author the author
 * @param button {@code mute} or {@code block}
 */
record RestrictingReader(Subscription subscription, Visitor author, String button) {

	private static final int SEE_OTHER = 303;

	private static final int AWAY = 503;

	LateRestriction restriction() {
		return this.subscription.restriction();
	}

	/** Presses the button at random instances until an instance has acknowledged it. */
	Acknowledgement restrict(LoadBalancer balancer, Random random) {
		Visitor reader = this.subscription.visitor();
		long sent = System.nanoTime();
		while (true) {
			try {
				Answer answer = reader.sentTo(balancer.any(random))
					.submit("/@" + this.author.name() + "/" + this.button);
				if (answer.status() == SEE_OTHER) {
					return new Acknowledgement(reader.id(), sent, System.nanoTime());
				}
				if (answer.status() != AWAY) {
					throw new AssertionError(this.button + " answered " + answer.status() + " " + answer.body());
				}
			}
			catch (UncheckedIOException ex) {
				// It is unknown whether it is done.
			}
			ThinkTime.upTo(ThinkTime.SHORT, random);
		}
	}

}
