package live.retwis.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import reactor.core.Disposable;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/**
 * More streams than threads could read.
 */
final class StreamCrowd implements AutoCloseable {

	private static final Duration LIMIT = Duration.ofSeconds(30);

	/**
	 * Ordinary threads, which BlockHound does not check, because they do not belong to
	 * the site.
	 */
	private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, Executors.defaultThreadFactory(),
			NioIoHandler.newFactory());

	private final ConnectionProvider connections;

	private final HttpClient client;

	private final List<Member> members = new ArrayList<>();

	StreamCrowd(int size) {
		this.connections = ConnectionProvider.builder("crowd").maxConnections(size).pendingAcquireMaxCount(-1).build();
		this.client = HttpClient.create(this.connections).runOn((server) -> this.loops, false);
		IntStream.range(0, size).forEach((i) -> this.members.add(new Member()));
	}

	List<Member> members() {
		return this.members;
	}

	@Override
	public void close() {
		this.members.forEach(Member::leave);
		this.connections.disposeLater().block(LIMIT);
		this.loops.shutdownGracefully().awaitUninterruptibly(LIMIT.toMillis());
	}

	/** A stream of the crowd. */
	final class Member {

		private static final Pattern POST = Pattern.compile("data-post-id=\"([^\"]*)\"");

		/** Characters of the last output that are shown in a message. */
		private static final int END = 200;

		private final StringBuffer text = new StringBuffer();

		private Disposable stream = () -> {
		};

		/** Opens the stream. An empty position asks for new events only. */
		void open(String url, String lastEventId) {
			this.text.setLength(0);
			this.stream = StreamCrowd.this.client.headers((headers) -> {
				if (!lastEventId.isEmpty()) {
					headers.set("Last-Event-ID", lastEventId);
				}
			})
				.get()
				.uri(url)
				.responseContent()
				.asString()
				.subscribe(this.text::append, (error) -> this.text.append("broken: ").append(error));
		}

		/** Closes the connection. */
		void leave() {
			this.stream.dispose();
		}

		/** What has arrived on this connection. */
		String text() {
			return this.text.toString();
		}

		List<String> posts() {
			return POST.matcher(text()).results().map((post) -> post.group(1)).toList();
		}

		@Override
		public String toString() {
			String all = text();
			return posts().size() + " posts, the end: " + all.substring(Math.max(0, all.length() - END));
		}

	}

}
