package live.retwis.locks.lab.proxy;

import org.jspecify.annotations.Nullable;

/**
 * A command, or a reply together with the command that it answers.
 *
 * @param way where it travels to
 * @param bytes as they came
 * @param command null for a reply that nobody asked for
 * @param arrived {@link System#nanoTime()} at the proxy
 */
record RespMessage(TrafficDirection way, byte[] bytes, @Nullable RedisCommand command, long arrived) {
}
