package live.retwis.attack;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.nio.NioSocketChannel;

/**
 * One attack: clients that send the same kind of request again and again, each on a new
 * connection. All attacks share one event loop, so nothing here needs a lock. The rate is
 * bounded: what is tested is the instance, not the machine.
 */
final class Attack {

	private static final int TURNS_A_SECOND = 10;

	/** The attacker itself gives up a connection after this time. */
	private static final int LIFE_SECONDS = 60;

	/** What came of a connection that the instance did not close. */
	static final String OPEN = "open for " + LIFE_SECONDS + " s";

	/** A slow reader takes so many bytes a second, and has a small buffer. */
	private static final int SIP = 16;

	private static final int SMALL_BUFFER = 4096;

	private final Plan plan;

	private final InetSocketAddress target;

	private final Map<String, Integer> outcomes = new ConcurrentSkipListMap<>();

	private final AtomicInteger tried = new AtomicInteger();

	private final AtomicInteger mostOpen = new AtomicInteger();

	private final Bootstrap client;

	private final ChannelGroup open;

	/**
	 * Prepares an attack.
	 * @param target the instance
	 */
	Attack(Plan plan, EventLoop loop, InetSocketAddress target) {
		this.plan = plan;
		this.target = target;
		this.open = new DefaultChannelGroup(loop);
		this.client = new Bootstrap().group(loop).channel(NioSocketChannel.class).handler(new ChannelInitializer<>() {
			@Override
			protected void initChannel(Channel channel) {
				channel.pipeline().addLast(new Connection());
			}
		});
		if (plan.kind() == Kind.READS_SLOWLY) {
			this.client.option(ChannelOption.AUTO_READ, false)
				.option(ChannelOption.SO_RCVBUF, SMALL_BUFFER)
				.option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(SIP).maxMessagesPerRead(1));
		}
	}

	/** Begins. It goes on until the event loop ends. */
	void start() {
		this.client.config()
			.group()
			.scheduleAtFixedRate(this::turn, 0, TimeUnit.SECONDS.toMillis(1) / TURNS_A_SECOND, TimeUnit.MILLISECONDS);
	}

	private void turn() {
		for (int i = 0; i < Math.max(1, this.plan.perSecond() / TURNS_A_SECOND)
				&& this.open.size() < this.plan.connections(); i++) {
			String from = this.plan.from().get(this.tried.getAndIncrement() % this.plan.from().size());
			this.open.add(this.client.connect(this.target, new InetSocketAddress(from, 0)).channel());
			this.mostOpen.accumulateAndGet(this.open.size(), Math::max);
		}
	}

	private void count(String outcome) {
		this.outcomes.merge(outcome, 1, Integer::sum);
	}

	String name() {
		return this.plan.name();
	}

	/** The addresses that it comes from. */
	List<String> addresses() {
		return this.plan.from()
			.stream()
			.map((from) -> new InetSocketAddress(from, 0).getAddress().getHostAddress())
			.toList();
	}

	/**
	 * How often it came out so: the status, {@code closed}, or {@link #OPEN}.
	 */
	int outcome(String outcome) {
		return this.outcomes.getOrDefault(outcome, 0);
	}

	int tried() {
		return this.tried.get();
	}

	/** A row of a table: what, tried, what came of it, the most connections at a time. */
	String row() {
		return "| %s | %,d | %s | %d |".formatted(this.plan.name(), this.tried.get(),
				this.outcomes.entrySet()
					.stream()
					.map((outcome) -> "%s: %,d".formatted(outcome.getKey(), outcome.getValue()))
					.collect(Collectors.joining(", ")),
				this.mostOpen.get());
	}

	@Override
	public String toString() {
		return row();
	}

	/** What the clients do beside sending. */
	enum Kind {

		/** They read the answer. */
		READS,

		/** They take a few bytes of the answer each second. */
		READS_SLOWLY,

		/** They send another byte each second. */
		DRIPS

	}

	/**
	 * What to do.
	 *
	 * @param name name in the table
	 * @param from addresses of the attacker, used in turn
	 * @param connections most connections at a time
	 * @param perSecond most new connections in a second
	 * @param request makes what is sent on each connection; characters up to 255
	 */
	record Plan(String name, List<String> from, int connections, int perSecond, Kind kind, Supplier<String> request) {
	}

	private final class Connection extends ChannelInboundHandlerAdapter {

		private boolean answered;

		private boolean ours;

		@Override
		public void channelActive(ChannelHandlerContext context) {
			send(context.channel(), Attack.this.plan.request().get());
			switch (Attack.this.plan.kind()) {
				case DRIPS -> eachSecond(context, () -> send(context.channel(), "x"));
				case READS_SLOWLY -> eachSecond(context, context::read);
				default -> {
				}
			}
			context.executor().schedule(() -> {
				this.ours = context.channel().isActive();
				context.close();
			}, LIFE_SECONDS, TimeUnit.SECONDS);
		}

		private static void eachSecond(ChannelHandlerContext context, Runnable deed) {
			var repeated = context.executor().scheduleAtFixedRate(deed, 1, 1, TimeUnit.SECONDS);
			context.channel().closeFuture().addListener((closed) -> repeated.cancel(false));
		}

		private static void send(Channel channel, String text) {
			channel.writeAndFlush(channel.alloc().buffer().writeBytes(text.getBytes(StandardCharsets.ISO_8859_1)));
		}

		@Override
		public void channelRead(ChannelHandlerContext context, Object message) {
			ByteBuf bytes = (ByteBuf) message;
			if (!this.answered) {
				this.answered = true;
				String line = bytes.toString(bytes.readerIndex(), Math.min(SIP, bytes.readableBytes()),
						StandardCharsets.ISO_8859_1);
				count(line.startsWith("HTTP/1.1 ") ? line.substring(9, 12) : "other");
			}
			bytes.release();
		}

		@Override
		public void channelInactive(ChannelHandlerContext context) {
			if (!this.answered) {
				count(this.ours ? OPEN : "closed");
			}
		}

		@Override
		public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
			context.close();
		}

	}

}
