package live.retwis.live;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.netty.NettyPipeline;

import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Streams whose socket accepts nothing, or whose thread runs out of memory.
 */
class NettyOutletFaultTests {

	private static final byte[] EVENT = "=".repeat(2000).getBytes(StandardCharsets.US_ASCII);

	private final Socket socket = new Socket();

	private final Buffers buffers = new Buffers();

	private final StreamEventLoop loop = new StreamEventLoop(this.socket.eventLoop(),
			new DeliveryMetrics(new SimpleMeterRegistry(), OptionalLong::empty));

	private final NettyOutlet outlet = new NettyOutlet(this.socket, true, this.loop, new LiveProperties(256,
			DataSize.ofMegabytes(1), Duration.ofMinutes(45), Duration.ZERO, LiveProperties.Writer.SHARED));

	private boolean closed;

	NettyOutletFaultTests() {
		this.socket.freezeTime();
		this.socket.config().setAllocator(this.buffers);
		this.socket.pipeline()
			.addLast(NettyPipeline.HttpCodec, new HttpServerCodec())
			.addLast(NettyPipeline.HttpTrafficHandler, new ChannelDuplexHandler());
		this.outlet.onClose(() -> this.closed = true);
	}

	@AfterEach
	void close() {
		this.socket.full = false;
		this.socket.close();
		this.socket.releaseOutbound();
	}

	@Test
	void aStreamWhoseReplayNobodyReadsIsClosedAfterSomeSeconds() {
		open();
		this.socket.full = true;
		this.outlet.replay(events(100));
		this.outlet.end();
		pass(Duration.ofSeconds(9));
		assertThat(this.socket.isOpen()).isTrue();
		pass(Duration.ofSeconds(1));
		assertThat(this.socket.isOpen()).isFalse();
		assertThat(this.closed).isTrue();
	}

	@Test
	void aStreamWhoseEndTheSocketDoesNotAcceptIsClosedAfterSomeSeconds() {
		open();
		this.socket.full = true;
		this.outlet.replay(events(1));
		this.outlet.end();
		assertThat(this.closed).as("nothing waits before the channel").isTrue();
		pass(Duration.ofSeconds(10));
		assertThat(this.socket.isOpen()).isFalse();
	}

	@Test
	void aStreamThatIsReadToItsEndLeavesTheConnectionOpen() {
		open();
		this.socket.full = true;
		this.outlet.replay(events(100));
		this.outlet.end();
		pass(Duration.ofSeconds(9));
		this.socket.full = false;
		pass(Duration.ofSeconds(10));
		assertThat(this.closed).isTrue();
		assertThat(this.socket.isOpen()).isTrue();
	}

	@Test
	void aStreamThatEndsBeforeItsAnswerBeginsLeavesTheConnectionOpen() {
		this.outlet.end();
		pass(Duration.ofSeconds(20));
		assertThat(this.socket.isOpen()).isTrue();
	}

	@Test
	void aStreamWithoutMemoryForItsBufferIsCutOff() {
		open();
		this.socket.full = true;
		this.outlet.replay(events(100));
		this.buffers.usedUp = true;
		this.socket.full = false;
		pass(Duration.ZERO);
		assertThat(this.closed).isTrue();
		assertThat(this.socket.isOpen()).isFalse();
	}

	@Test
	void aStreamWithoutMemoryForItsOpeningIsCutOff() {
		this.buffers.usedUp = true;
		this.outlet.replay(events(1));
		open();
		assertThat(this.closed).isTrue();
		assertThat(this.socket.isOpen()).isFalse();
	}

	@Test
	void anEventWithoutMemoryDoesNotDamageTheNextOne() {
		open();
		this.socket.full = true;
		this.outlet.write("first".getBytes(StandardCharsets.US_ASCII));
		byte[] second = "second".getBytes(StandardCharsets.US_ASCII);
		this.buffers.usedUp = true;
		assertThatExceptionOfType(InternalError.class).isThrownBy(() -> this.outlet.write(second));
		this.buffers.usedUp = false;
		this.outlet.write(second);
		this.outlet.write("third".getBytes(StandardCharsets.US_ASCII));
		this.socket.full = false;
		pass(Duration.ZERO);
		assertThat(sent()).containsSubsequence("first", "second", "third");
	}

	/** What the socket has accepted. */
	private String sent() {
		StringBuilder sent = new StringBuilder();
		for (Object part = this.socket.readOutbound(); part != null; part = this.socket.readOutbound()) {
			sent.append(((ByteBuf) part).toString(StandardCharsets.US_ASCII));
		}
		return sent.toString();
	}

	@Test
	void theBuffersOfAFailedReplayAreReleased() {
		open();
		this.outlet.replay(new Iterator<>() {

			@Override
			public boolean hasNext() {
				return true;
			}

			@Override
			public byte[] next() {
				throw new IllegalStateException("made by a test");
			}

		});
		assertThat(this.closed).isTrue();
		assertThat(this.buffers.last.refCnt()).isZero();
	}

	/**
	 * Opens the stream as the web framework does: it sends the headers, then passes on
	 * what ends the answer.
	 */
	private void open() {
		this.outlet.body().blockLast();
		HttpResponse headers = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
		HttpUtil.setTransferEncodingChunked(headers, true);
		this.socket.writeAndFlush(headers);
		if (this.socket.isOpen()) {
			this.socket.write(LastHttpContent.EMPTY_LAST_CONTENT);
		}
	}

	private static Iterator<byte[]> events(int number) {
		return Collections.nCopies(number, EVENT).iterator();
	}

	/** Flushes the sockets, as every turn of the loop does, and lets time pass. */
	private void pass(Duration time) {
		this.socket.flush();
		this.socket.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
		this.socket.runPendingTasks();
	}

	/** A socket that accepts everything or nothing. */
	private static final class Socket extends EmbeddedChannel {

		private boolean full;

		@Override
		protected void doWrite(ChannelOutboundBuffer waiting) throws Exception {
			if (!this.full) {
				super.doWrite(waiting);
			}
		}

	}

	private static final class Buffers extends AbstractByteBufAllocator {

		private boolean usedUp;

		@SuppressWarnings("NullAway.Init")
		private ByteBuf last;

		@Override
		public boolean isDirectBufferPooled() {
			return false;
		}

		@Override
		protected ByteBuf newHeapBuffer(int initial, int most) {
			return UnpooledByteBufAllocator.DEFAULT.heapBuffer(initial, most);
		}

		@Override
		protected ByteBuf newDirectBuffer(int initial, int most) {
			if (this.usedUp) {
				// JUnit would stop the test run at an OutOfMemoryError.
				throw new InternalError("made by a test");
			}
			this.last = UnpooledByteBufAllocator.DEFAULT.directBuffer(initial, most);
			return this.last;
		}

	}

}
