package live.retwis.faults;

import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Random;

import live.retwis.faults.WorkloadPeople.Subscription;
import live.retwis.testing.Answer;
import live.retwis.testing.Visitor;

/**
 * A reader who mutes or blocks an author in the middle of a workload, and perhaps no
 * longer after a while.
 *
 * @param subscription the stream of the reader
 * @param author the author
 * @param button {@code mute} or {@code block}
 * @param ends whether the reader takes it back
 */
record RestrictingReader(Subscription subscription, Visitor author, String button, boolean ends) {

	private static final int SEE_OTHER = 303;

	private static final int AWAY = 503;

	LateRestriction restriction() {
		return this.subscription.restriction();
	}

	/**
	 * Sends the form once, to a random instance.
	 * @return empty when it is unknown whether it is done
	 */
	Optional<Acknowledgement> restrictOnce(LoadBalancer balancer, Random random) {
		return press(this.button, System.nanoTime(), balancer, random);
	}

	/** Sends the form to random instances until one has acknowledged it. */
	Acknowledgement restrict(LoadBalancer balancer, Random random) {
		return pressUntilAcknowledged(this.button, balancer, random);
	}

	/** Takes it back, at random instances until one has acknowledged that. */
	Acknowledgement release(LoadBalancer balancer, Random random) {
		return pressUntilAcknowledged("un" + this.button, balancer, random);
	}

	private Acknowledgement pressUntilAcknowledged(String pressed, LoadBalancer balancer, Random random) {
		long sent = System.nanoTime();
		while (true) {
			Optional<Acknowledgement> done = press(pressed, sent, balancer, random);
			if (done.isPresent()) {
				return done.get();
			}
			ThinkTime.upTo(ThinkTime.SHORT, random);
		}
	}

	private Optional<Acknowledgement> press(String pressed, long sent, LoadBalancer balancer, Random random) {
		Visitor reader = this.subscription.visitor();
		try {
			Answer answer = reader.sentTo(balancer.any(random)).submit("/@" + this.author.name() + "/" + pressed);
			if (answer.status() == SEE_OTHER) {
				return Optional.of(new Acknowledgement(reader.id(), sent, System.nanoTime()));
			}
			if (answer.status() != AWAY) {
				throw new AssertionError(pressed + " answered " + answer.status() + " " + answer.body());
			}
		}
		catch (UncheckedIOException ex) {
			// It is unknown whether it is done.
		}
		return Optional.empty();
	}

}
