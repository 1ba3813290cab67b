package live.retwis.locks;

import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;
import org.redisson.client.handler.ErrorsLoggingHandler;

import static org.assertj.core.api.Assertions.assertThat;

class NodeChannelsTests {

	private final NodeChannels channels = new NodeChannels();

	private EmbeddedChannel opened() {
		EmbeddedChannel channel = new EmbeddedChannel(new ErrorsLoggingHandler());
		this.channels.afterChannelInitialization(channel);
		return channel;
	}

	@Test
	void connectionsAreOpenUntilTheyAreClosed() {
		EmbeddedChannel channel = opened();
		assertThat(channel.isOpen()).isTrue();
		this.channels.close();
		assertThat(channel.isOpen()).isFalse();
	}

	/** On a busy machine an event loop may be so late. Nobody else would close it. */
	@Test
	void aConnectionThatIsOpenedAfterwardsIsClosedAtOnce() {
		this.channels.close();
		assertThat(opened().isOpen()).isFalse();
	}

}
