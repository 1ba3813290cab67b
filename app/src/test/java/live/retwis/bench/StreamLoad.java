package live.retwis.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpStatusClass;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Opens streams and posts at a steady rate, on one thread. Delays are counted from the
 * time when a post was due, even if it was sent later. A connection sends a post when the
 * one before is answered. With several connections, a server that is behind has several
 * posts to deliver and can write them together.
 */
final class StreamLoad {

	/** An event has this text and then its time stamp: µs since this program started. */
	static final String STAMP = "qts:";

	/** Streams that are being opened at the same time. */
	private static final int OPENING = 64;

	/** Most bytes of an answer. */
	private static final int ANSWER = 262_144;

	private static final long OPEN_SECONDS = 120;

	private static final long SETTLE_SECONDS = 1;

	private static final long DRAIN_SECONDS = 15;

	private final Plan plan;

	private final long started = System.nanoTime();

	private final Histogram delays = new Histogram(TimeUnit.MINUTES.toMicros(5), 3);

	private final Histogram answers = new Histogram(TimeUnit.MINUTES.toMicros(5), 3);

	private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());

	private final CountDownLatch open;

	private final CountDownLatch posted;

	private final CountDownLatch received;

	private final Queue<Long> due = new ArrayDeque<>();

	private final Queue<Posting> idle = new ArrayDeque<>();

	private int opening;

	private int turn;

	private long sent;

	private long events;

	private long refused;

	private long lastEvent;

	private StreamLoad(Plan plan) {
		this.plan = plan;
		this.open = new CountDownLatch(plan.streams());
		this.posted = new CountDownLatch((int) plan.posts());
		this.received = new CountDownLatch(1);
	}

	/** Runs the plans of a folder in their order, until the process is ended. */
	public static void main(String[] arguments) throws Exception {
		Path folder = Path.of(arguments[0]);
		for (int number = 1;; number++) {
			while (!Files.exists(plan(folder, number))) {
				TimeUnit.MILLISECONDS.sleep(50);
			}
			StreamLoad load = new StreamLoad(Plan.read(plan(folder, number)));
			Path draft = folder.resolve("figures");
			Files.writeString(draft, load.run().line());
			load.loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
			Files.move(draft, figures(folder, number));
		}
	}

	/** File of a plan. */
	static Path plan(Path folder, int number) {
		return folder.resolve("plan-" + number);
	}

	/** File of a plan's figures. */
	static Path figures(Path folder, int number) {
		return folder.resolve("figures-" + number);
	}

	private Figures run() throws InterruptedException, TimeoutException, IOException {
		this.loop.execute(() -> {
			for (int i = 0; i < OPENING; i++) {
				openNext();
			}
			for (int i = 0; i < this.plan.publishers(); i++) {
				connect(new Posting());
			}
		});
		if (!this.open.await(OPEN_SECONDS, TimeUnit.SECONDS)) {
			throw new TimeoutException(this.open.getCount() + " streams did not open");
		}
		TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
		Duration cpu = PinnedProcess.cpu(this.plan.pid());
		long begin = micros();
		long gap = Math.round(1_000_000 / this.plan.rate());
		this.loop.scheduleAtFixedRate(() -> postDue(begin, gap), 0, 1, TimeUnit.MILLISECONDS);
		long seconds = (long) (this.plan.posts() / this.plan.rate()) + DRAIN_SECONDS;
		this.posted.await(seconds, TimeUnit.SECONDS);
		if (this.plan.events() > 0) {
			this.received.await(DRAIN_SECONDS, TimeUnit.SECONDS);
		}
		return new Figures(this.plan.posts() - this.posted.getCount(), this.plan.events(), this.events,
				this.delays.getValueAtPercentile(50) / 1000.0, this.delays.getValueAtPercentile(99) / 1000.0,
				this.delays.getMaxValue() / 1000.0, this.events * 1_000_000.0 / Math.max(1, this.lastEvent - begin),
				PinnedProcess.cpu(this.plan.pid()).minus(cpu).toMillis(),
				this.answers.getValueAtPercentile(99) / 1000.0, this.refused);
	}

	/** Whether a server that has time for everything would answer like this, too. */
	static boolean isRefused(HttpResponse answer) {
		return answer.status().codeClass() == HttpStatusClass.CLIENT_ERROR
				|| answer.headers().get(HttpHeaderNames.LOCATION, "").startsWith("/login");
	}

	private long micros() {
		return (System.nanoTime() - this.started) / 1000;
	}

	private void openNext() {
		if (this.opening < this.plan.streams()) {
			connect(new Stream(this.plan.opening(this.opening++)));
		}
	}

	private void connect(ChannelHandler handler) {
		new Bootstrap().group(this.loop)
			.channel(EpollSocketChannel.class)
			.handler(handler)
			.connect(new InetSocketAddress("127.0.0.1", this.plan.port()));
	}

	private void postDue(long begin, long gap) {
		while (this.sent < this.plan.posts() && begin + this.sent * gap <= micros()) {
			this.due.add(begin + this.sent * gap);
			this.sent++;
		}
		post();
	}

	private void post() {
		while (!this.due.isEmpty() && !this.idle.isEmpty()) {
			this.idle.remove()
				.send(this.plan.requests().get(this.turn++ % this.plan.requests().size()), this.due.remove());
		}
	}

	private void event(long stamp) {
		this.lastEvent = micros();
		this.delays.recordValue(Math.max(0, this.lastEvent - stamp));
		this.events++;
		if (this.events == this.plan.events()) {
			this.received.countDown();
		}
	}

	/** A stream. Each time stamp in it is an event. */
	private final class Stream extends ChannelInboundHandlerAdapter {

		private final String request;

		private boolean opened;

		/** Characters of {@link #STAMP} that were read so far. */
		private int matched;

		private long stamp = -1;

		private Stream(String request) {
			this.request = request;
		}

		@Override
		public void channelActive(ChannelHandlerContext context) {
			context.writeAndFlush(ByteBufUtil.writeUtf8(context.alloc(), this.request));
		}

		@Override
		public void channelRead(ChannelHandlerContext context, Object message) {
			ByteBuf bytes = (ByteBuf) message;
			if (!this.opened) {
				this.opened = true;
				StreamLoad.this.open.countDown();
				openNext();
			}
			while (bytes.isReadable()) {
				if (this.matched == 0 && this.stamp < 0) {
					int next = bytes.bytesBefore((byte) STAMP.charAt(0));
					bytes.skipBytes((next < 0) ? bytes.readableBytes() - 1 : next);
				}
				read(bytes.readByte());
			}
			bytes.release();
		}

		private void read(byte character) {
			if (this.stamp >= 0) {
				if (character >= '0' && character <= '9') {
					this.stamp = this.stamp * 10 + character - '0';
				}
				else {
					event(this.stamp);
					this.stamp = -1;
				}
			}
			else if (character != STAMP.charAt(this.matched)) {
				this.matched = (character == STAMP.charAt(0)) ? 1 : 0;
			}
			else if (++this.matched == STAMP.length()) {
				this.matched = 0;
				this.stamp = 0;
			}
		}

	}

	/** A connection that posts, or sends other requests. */
	private final class Posting extends ChannelInitializer<Channel> {

		private @Nullable Channel channel;

		private long due;

		@Override
		protected void initChannel(Channel channel) {
			this.channel = channel;
			channel.pipeline()
				.addLast(new HttpResponseDecoder(), new HttpObjectAggregator(ANSWER),
						new SimpleChannelInboundHandler<FullHttpResponse>() {

							@Override
							public void channelActive(ChannelHandlerContext context) {
								StreamLoad.this.idle.add(Posting.this);
							}

							@Override
							protected void channelRead0(ChannelHandlerContext context, FullHttpResponse answer) {
								answered(answer);
							}

						});
		}

		private void send(String request, long stamp) {
			this.due = stamp;
			Channel open = Objects.requireNonNull(this.channel);
			open.writeAndFlush(ByteBufUtil.writeUtf8(open.alloc(), String.format(Locale.ROOT, request, stamp)));
		}

		private void answered(HttpResponse answer) {
			StreamLoad.this.answers.recordValue(Math.max(0, micros() - this.due));
			if (isRefused(answer)) {
				StreamLoad.this.refused++;
			}
			else if (answer.status().code() < 500) {
				StreamLoad.this.posted.countDown();
			}
			StreamLoad.this.idle.add(this);
			post();
		}

	}

	/**
	 * What to measure.
	 *
	 * @param pid process id of the server
	 * @param port port of the server
	 * @param path addresses of the streams, used in turn; a line has the path and, after
	 * a space, a cookie
	 * @param streams number of streams
	 * @param rate posts per second
	 * @param posts number of posts
	 * @param events number of events that all streams together should receive; 0 when
	 * that is not known
	 * @param publishers number of connections that post
	 * @param requests requests that post, or ask for pages, used in turn; formats, in
	 * which {@code %012d} stands for the time stamp
	 */
	record Plan(long pid, int port, List<String> path, int streams, double rate, long posts, long events,
			int publishers, List<String> requests) {

		private static final String LINE = "\u0001";

		private static final String LIST = "\u0002";

		void write(Path file) throws IOException {
			Files.writeString(file,
					String.join(LIST, Long.toString(this.pid), Integer.toString(this.port),
							String.join(LINE, this.path), Integer.toString(this.streams), Double.toString(this.rate),
							Long.toString(this.posts), Long.toString(this.events), Integer.toString(this.publishers),
							String.join(LINE, this.requests)));
		}

		static Plan read(Path file) throws IOException {
			String[] parts = Files.readString(file).split(LIST);
			return new Plan(Long.parseLong(parts[0]), Integer.parseInt(parts[1]), List.of(parts[2].split(LINE)),
					Integer.parseInt(parts[3]), Double.parseDouble(parts[4]), Long.parseLong(parts[5]),
					Long.parseLong(parts[6]), Integer.parseInt(parts[7]), List.of(parts[8].split(LINE)));
		}

		String opening(int number) {
			String[] target = this.path.get(number % this.path.size()).split(" ", 2);
			return "GET " + target[0] + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n"
					+ ((target.length > 1) ? "Cookie: " + target[1] + "\r\n\r\n" : "\r\n");
		}

	}

	/**
	 * The result of a plan.
	 *
	 * @param posts accepted posts
	 * @param expected expected events
	 * @param received received events
	 * @param p50 ms from the time when a post was due
	 * @param p99 the same
	 * @param max the same
	 * @param rate events per second
	 * @param cpu processor time of the server in ms
	 * @param answered99 ms from the time when a request was due until its answer: 99 of
	 * 100 answers
	 * @param refused answers such as a redirect to the log-in, which no page of a plan
	 * has
	 */
	record Figures(long posts, long expected, long received, double p50, double p99, double max, double rate, long cpu,
			double answered99, long refused) {

		String line() {
			return String.format(Locale.ROOT, "%d %d %d %.1f %.1f %.1f %.0f %d %.1f %d", this.posts, this.expected,
					this.received, this.p50, this.p99, this.max, this.rate, this.cpu, this.answered99, this.refused);
		}

		static Figures parse(String line) {
			String[] words = line.strip().split(" ");
			return new Figures(Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]),
					Double.parseDouble(words[3]), Double.parseDouble(words[4]), Double.parseDouble(words[5]),
					Double.parseDouble(words[6]), Long.parseLong(words[7]), Double.parseDouble(words[8]),
					Long.parseLong(words[9]));
		}

		/** Whether every event arrived, and 99 of 100 in time. */
		boolean holds(double mostP99) {
			return this.received == this.expected && this.p99 < mostP99;
		}

	}

}
