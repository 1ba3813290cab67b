package live.retwis.demo;

import java.util.List;

import live.retwis.account.RecentUsers;
import live.retwis.account.Registration;
import live.retwis.account.User;
import live.retwis.account.UserRepository;
import live.retwis.account.UsernameRepository;
import live.retwis.redis.Cursor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * The users of the demo. They are known by their bio: a visitor may have registered one
 * of the names before.
 */
@Component
class DemoPeople {

	private static final String BIO = "A user of the demo: a program posts in this name.";

	/** Users registered concurrently. Most of the work is encoding passwords. */
	private static final int REGISTRATIONS = 2;

	private final UsernameRepository usernames;

	private final UserRepository users;

	private final RecentUsers recent;

	private final Registration registration;

	private final DemoStepRunner steps;

	DemoPeople(UsernameRepository usernames, UserRepository users, RecentUsers recent, Registration registration,
			DemoStepRunner steps) {
		this.usernames = usernames;
		this.users = users;
		this.recent = recent;
		this.registration = registration;
		this.steps = steps;
	}

	/** Those whom this demo or an earlier one registered, except suspended ones. */
	Mono<List<User>> find() {
		return Flux.fromIterable(DemoTexts.NAMES).flatMapSequential(this::find).collectList();
	}

	/** One of those again; empty when the user is deleted or suspended by now. */
	Mono<User> findAgain(User user) {
		return find(user.username()).filter((found) -> found.id().equals(user.id()));
	}

	private Mono<User> find(String name) {
		return this.usernames.findUser(name).filter(DemoPeople::isOurs);
	}

	/** The names that nobody has, visitors included. */
	Mono<List<String>> freeNames() {
		return Flux.fromIterable(DemoTexts.NAMES)
			.filterWhen((name) -> this.usernames.findId(name).hasElement().map((taken) -> !taken))
			.collectList();
	}

	/**
	 * Whether the store has no other users. There is one of these for each name at most,
	 * so a user more than that is another one.
	 */
	Mono<Boolean> areAlone() {
		int most = DemoTexts.NAMES.size();
		return this.recent.newest(most + 1)
			.flatMap((newest) -> this.users.findAll(newest.stream().map(Cursor::member).toList()))
			.map((newest) -> newest.size() <= most && newest.stream().allMatch(DemoPeople::isOurs));
	}

	private static boolean isOurs(User user) {
		return user.bio().equals(BIO);
	}

	/** Registers users with these names, except those that are taken by now. */
	Mono<List<User>> register(List<String> names, String password) {
		return Flux.fromIterable(names)
			.flatMapSequential((name) -> this.steps.run(this.registration.register(name, BIO, password))
				.onErrorResume(Registration.NameTakenException.class, (taken) -> Mono.empty()), REGISTRATIONS)
			.collectList();
	}

}
