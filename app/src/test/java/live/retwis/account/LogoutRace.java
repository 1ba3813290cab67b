package live.retwis.account;

import java.util.List;
import java.util.stream.IntStream;

import live.retwis.testing.Answer;
import live.retwis.testing.Simultaneous;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Several devices of one user log out at once, on two instances. Other devices do so
 * after the user has come back.
 */
record LogoutRace(InstancesWithLockNodes instances) {

	private static final int AT_ONCE = 6;

	private static final int LATER = 3;

	/** The generation increases once, whichever log-out was first. */
	void run() {
		Visitor owner = Visitor.registered(this.instances.site(0));
		List<Visitor> later = devices(owner, LATER);
		List<Answer> answers = logOut(devices(owner, AT_ONCE));
		assertThat(answers).extracting(Answer::location).containsOnly("/");
		assertThat(generation(owner)).isEqualTo("2");
		assertThat(later).noneMatch(Visitor::isSignedIn);
		endsNothingNewer(owner, later);
	}

	/** Checks that every answer was true. */
	void runWithFaults() {
		Visitor owner = Visitor.registered(this.instances.site(0));
		List<Visitor> later = devices(owner, LATER);
		List<Visitor> first = devices(owner, AT_ONCE);
		boolean ended = logOut(first).stream().anyMatch((answer) -> answer.location().equals("/"));
		assertThat(generation(owner)).isEqualTo(ended ? "2" : "1");
		assertThat(first).noneMatch(Visitor::isSignedIn);
		assertThat(later).allMatch((device) -> device.isSignedIn() != ended);
		if (ended) {
			endsNothingNewer(owner, later);
		}
	}

	private List<Visitor> devices(Visitor owner, int count) {
		return IntStream.range(0, count).mapToObj((number) -> {
			Visitor device = Visitor.signedIn(this.instances.site(number), owner.name());
			device.get("/home");
			return device;
		}).toList();
	}

	private static List<Answer> logOut(List<Visitor> devices) {
		List<Answer> answers = Simultaneous.times(devices.size(), (i) -> devices.get(i).submit("/logout"));
		assertThat(answers).extracting(Answer::status).containsOnly(303);
		return answers;
	}

	/** Devices whose sessions are over log out while a newer session is valid. */
	private void endsNothingNewer(Visitor owner, List<Visitor> over) {
		Visitor newer = Visitor.signedIn(this.instances.site(1), owner.name());
		assertThat(logOut(over)).extracting(Answer::location).containsOnly("/");
		assertThat(newer.isSignedIn()).isTrue();
		assertThat(generation(owner)).isEqualTo("2");
	}

	private String generation(Visitor owner) {
		Site site = this.instances.site(0);
		return String.valueOf(site.redis().hget("user:" + site.redis().get("username:" + owner.name()), "auth"));
	}

}
