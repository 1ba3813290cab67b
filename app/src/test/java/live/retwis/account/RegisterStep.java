package live.retwis.account;

import java.util.function.Function;

import live.retwis.locks.testing.Command;

/**
 * The commands of a registration, in their order.
 */
enum RegisterStep {

	LOOK(false, (name) -> HeldAt.data(Command.named("GET").and(Command.with("username:" + name)))),

	TAKE_LOCK(false, (name) -> HeldAt.taking("username:" + name)),

	CONFIRM_LOCK(false, (name) -> HeldAt.confirming("username:" + name)),

	CLAIM_FENCE(false,
			(name) -> HeldAt.data(Command.named("PSETEX").and(Command.with("fence:{username:" + name + "}")))),

	LOOK_AGAIN(false, (name) -> LOOK.of(name).number(2)),

	CREATE_USER(false, (name) -> HeldAt.data(Command.named("HSETNX").and(Command.with("created")))),

	FILL_USER(false, (name) -> HeldAt.data(Command.named("HSET", "HMSET").and(Command.with(name)))),

	COMMIT(false, (name) -> HeldAt.data(Command.named("EVALSHA").and(Command.with("username:" + name)))),

	COMMITTED(true, (name) -> COMMIT.of(name).reply()),

	LIST_AS_RECENT(true, (name) -> HeldAt.data(Command.named("EVALSHA").and(Command.with("users:recent")))),

	RELEASE_LOCK(true, (name) -> HeldAt.releasing("username:" + name)),

	OPEN_SESSION(true, (name) -> HeldAt.data(Command.named("SET", "SETEX", "PSETEX").and(Command.containing("auth:"))));

	private final boolean committed;

	private final Function<String, HeldAt> held;

	RegisterStep(boolean committed, Function<String, HeldAt> held) {
		this.committed = committed;
		this.held = held;
	}

	/** Whether the name has been given when this is held. */
	boolean isCommitted() {
		return this.committed;
	}

	/** Where it is held for that name. */
	HeldAt of(String name) {
		return this.held.apply(name);
	}

}
