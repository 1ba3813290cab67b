package live.retwis.locks.nodes.proxy;

import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * For tests of a client that speaks to Redis through a proxy.
 */
@Timeout(60)
@ExtendWith(RedisExtension.class)
abstract class ProxiedClient {

	final FaultProxy proxy;

	final RespConversation client;

	/** Speaks to the server itself. */
	final RespConversation witness;

	ProxiedClient(TestRedis redis) {
		this.proxy = redis.proxy();
		this.client = new RespConversation(this.proxy.port());
		this.witness = new RespConversation(redis.port());
	}

	@AfterEach
	void close() {
		this.client.close();
		this.witness.close();
		this.proxy.close();
	}

}
