package live.retwis.redis;

import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.netty.channel.DefaultChannelId;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.local.LocalAddress;
import io.netty.util.concurrent.ImmediateEventExecutor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StalledConnectionCloserTests {

	private final ChannelGroup connections = new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE);

	private final EmbeddedChannel connection = to("one node");

	/** A new connection to the node with the name. */
	private EmbeddedChannel to(String node) {
		EmbeddedChannel opened = new EmbeddedChannel(DefaultChannelId.newInstance(),
				new StalledConnectionCloser(Duration.ofSeconds(4), this.connections)) {

			@Override
			protected SocketAddress remoteAddress0() {
				return new LocalAddress(node);
			}

		};
		this.connections.add(opened);
		return opened;
	}

	@BeforeEach
	void stopTheClock() {
		this.connection.freezeTime();
	}

	private void pass(int millis) {
		this.connection.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
		this.connection.runScheduledPendingTasks();
	}

	@Test
	void closesAConnectionWhoseAnswerTakesTooLong() {
		this.connection.writeOutbound("command");
		pass(3_999);
		assertThat(this.connection.isActive()).isTrue();
		pass(1);
		assertThat(this.connection.isActive()).isFalse();
	}

	@Test
	void closesAlsoIdleConnectionsToThatNodeAndNoOthers() {
		EmbeddedChannel quiet = to("one node");
		EmbeddedChannel elsewhere = to("another node");
		this.connection.writeOutbound("command");
		pass(4_000);
		assertThat(quiet.isActive()).isFalse();
		assertThat(elsewhere.isActive()).isTrue();
	}

	@Test
	void laterCommandsDoNotExtendTheTime() {
		this.connection.writeOutbound("command");
		pass(3_000);
		this.connection.writeOutbound("another");
		pass(1_000);
		assertThat(this.connection.isActive()).isFalse();
	}

	@Test
	void anAnswerRestartsTheTime() {
		this.connection.writeOutbound("command");
		pass(3_000);
		this.connection.writeInbound("answer");
		this.connection.writeOutbound("another");
		pass(3_999);
		assertThat(this.connection.isActive()).isTrue();
		pass(1);
		assertThat(this.connection.isActive()).isFalse();
	}

	@Test
	void anIdleConnectionIsNotClosed() {
		this.connection.writeOutbound("command");
		this.connection.writeInbound("answer");
		pass(100_000);
		assertThat(this.connection.isActive()).isTrue();
		this.connection.writeOutbound("later");
		pass(3_999);
		assertThat(this.connection.isActive()).isTrue();
		pass(1);
		assertThat(this.connection.isActive()).isFalse();
	}

}
