package live.retwis.account;

import java.util.function.Function;

import live.retwis.locks.testing.Command;

/**
 * The commands of a log-out that ends every session of a user, in their order.
 */
enum LogoutStep {

	FIND_SESSION(false, (user) -> HeldAt.data(Command.named("HMGET").and(Command.with("user:" + user)))),

	TAKE_LOCK(false, (user) -> HeldAt.taking("user:" + user)),

	CONFIRM_LOCK(false, (user) -> HeldAt.confirming("user:" + user)),

	CLAIM_FENCE(false, (user) -> HeldAt.data(Command.named("PSETEX").and(Command.with("fence:{user:" + user + "}")))),

	COMMIT(false, (user) -> HeldAt.data(Command.named("EVALSHA").and(Command.with("user:" + user)))),

	COMMITTED(true, (user) -> COMMIT.of(user).reply()),

	RELEASE_LOCK(true, (user) -> HeldAt.releasing("user:" + user)),

	DELETE_SESSION(true, (user) -> HeldAt.data(Command.named("DEL", "UNLINK").and(Command.containing("auth:")))),

	TELL_LOG(true,
			(user) -> HeldAt.data(Command.named("EVALSHA").and(Command.with("{live}:log")).and(Command.with(user))));

	private final boolean committed;

	private final Function<String, HeldAt> held;

	LogoutStep(boolean committed, Function<String, HeldAt> held) {
		this.committed = committed;
		this.held = held;
	}

	/** Whether the sessions are over when this is held. */
	boolean isCommitted() {
		return this.committed;
	}

	/** Where it is held for that user id. */
	HeldAt of(String userId) {
		return this.held.apply(userId);
	}

}
