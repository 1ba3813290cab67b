package live.retwis.locks;

/**
 * What every acquisition needs.
 *
 * @param nodes all nodes that are configured
 * @param fence where the owner of a lease is noted
 * @param listener is told what happens
 * @param environment everything outside of the lock: clocks, timers and connections
 * @param queues where callers of this process wait for each other
 * @param detached what goes on without its caller
 */
record LockDependencies(LockNodes nodes, FenceRegister fence, LockListener listener, LockEnvironment environment,
		LocalQueues queues, DetachedOperations detached) {
}
