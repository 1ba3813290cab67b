package live.retwis.account;

import java.util.function.Function;

import live.retwis.locks.nodes.proxy.SentCommand;

/**
 * The commands of a log-out that ends all sessions of a user, in their order.
 */
enum LogoutStep {

	FIND_SESSION(false, (user) -> HeldCommand.data(SentCommand.named("HMGET").and(SentCommand.with("user:" + user)))),

	TAKE_LOCK(false, (user) -> HeldCommand.taking("user:" + user)),

	CONFIRM_LOCK(false, (user) -> HeldCommand.confirming("user:" + user)),

	CLAIM_FENCE(false,
			(user) -> HeldCommand.data(SentCommand.named("SET").and(SentCommand.with("fence:{user:" + user + "}")))),

	COMMIT(false, (user) -> HeldCommand.data(SentCommand.named("EVALSHA").and(SentCommand.with("user:" + user)))),

	COMMITTED(true, (user) -> COMMIT.of(user).reply()),

	RELEASE_LOCK(true, (user) -> HeldCommand.releasing("user:" + user)),

	DELETE_SESSION(true, (user) -> HeldCommand.data(SentCommand.named("EVALSHA").and(SentCommand.containing("auth:")))),

	TELL_LOG(true, (user) -> HeldCommand
		.data(SentCommand.named("EVALSHA").and(SentCommand.with("{live}:log")).and(SentCommand.with(user))));

	private final boolean committed;

	private final Function<String, HeldCommand> held;

	LogoutStep(boolean committed, Function<String, HeldCommand> held) {
		this.committed = committed;
		this.held = held;
	}

	/** Whether the sessions are over while this command is held. */
	boolean isCommitted() {
		return this.committed;
	}

	/** The command for the user id. */
	HeldCommand of(String userId) {
		return this.held.apply(userId);
	}

}
