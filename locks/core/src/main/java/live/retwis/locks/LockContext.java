package live.retwis.locks;

/**
 * What every acquisition needs.
 *
 * @param nodes all that are configured
 * @param fence where an owner is noted
 * @param listener hears what happens
 * @param platform all that is outside
 * @param lines where callers of this process wait for each other
 * @param detached what goes on without its caller
 */
record LockContext(LockNodes nodes, FenceRegister fence, LockListener listener, Platform platform, LocalQueues lines,
		BackgroundWork detached) {
}
