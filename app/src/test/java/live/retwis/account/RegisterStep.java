package live.retwis.account;

import java.util.function.Function;

import live.retwis.locks.nodes.proxy.SentCommand;

/**
 * The commands of a registration, in their order.
 */
enum RegisterStep {

	LOOK(false, (name) -> HeldCommand.data(SentCommand.named("GET").and(SentCommand.with("username:" + name)))),

	TAKE_LOCK(false, (name) -> HeldCommand.taking("username:" + name)),

	CONFIRM_LOCK(false, (name) -> HeldCommand.confirming("username:" + name)),

	CLAIM_FENCE(false,
			(name) -> HeldCommand
				.data(SentCommand.named("SET").and(SentCommand.with("fence:{username:" + name + "}")))),

	LOOK_AGAIN(false, (name) -> LOOK.of(name).number(2)),

	CREATE_USER(false,
			(name) -> HeldCommand
				.data(SentCommand.named("EVALSHA").and(SentCommand.with("password")).and(SentCommand.with(name)))),

	COMMIT(false, (name) -> HeldCommand.data(SentCommand.named("EVALSHA").and(SentCommand.with("username:" + name)))),

	COMMITTED(true, (name) -> COMMIT.of(name).reply()),

	LIST_AS_RECENT(true,
			(name) -> HeldCommand.data(SentCommand.named("EVALSHA").and(SentCommand.with("users:recent")))),

	RELEASE_LOCK(true, (name) -> HeldCommand.releasing("username:" + name)),

	OPEN_SESSION(true, (name) -> HeldCommand
		.data(SentCommand.named("SET", "SETEX", "PSETEX").and(SentCommand.containing("auth:"))));

	private final boolean committed;

	private final Function<String, HeldCommand> held;

	RegisterStep(boolean committed, Function<String, HeldCommand> held) {
		this.committed = committed;
		this.held = held;
	}

	/** Whether the name is given while this command is held. */
	boolean isCommitted() {
		return this.committed;
	}

	/** The command for the name. */
	HeldCommand of(String name) {
		return this.held.apply(name);
	}

}
