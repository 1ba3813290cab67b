package live.retwis.faults;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import live.retwis.ops.ComposeSite;

/**
 * The data Redis of the site in containers.
 */
final class ComposeStore implements StoredLog, AutoCloseable {

	private final RedisClient client;

	private final RedisCommands<String, String> commands;

	ComposeStore(ComposeSite site) {
		this.client = RedisClient.create(RedisURI.builder()
			.withHost("127.0.0.1")
			.withPort(site.redisPort())
			.withAuthentication(ComposeSite.ADMIN, ComposeSite.ADMIN_PASSWORD.toCharArray())
			.build());
		this.commands = this.client.connect().sync();
	}

	@Override
	public RedisCommands<String, String> commands() {
		return this.commands;
	}

	@Override
	public void close() {
		this.client.shutdown();
	}

}
