package live.retwis.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import live.retwis.log.CommitLog;
import live.retwis.log.LogPosition;
import live.retwis.testing.Commits;
import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.SiteProcess;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Subscribers that never read are cut off, and take almost no memory until then. Posts
 * are made at another instance.
 */
@Timeout(300)
class SlowReaderChaos {

	private static final Logger log = LoggerFactory.getLogger(SlowReaderChaos.class);

	private static final int SUBSCRIBERS = 40;

	private static final int SENT_BYTES = 20_000_000;

	private static final int MOST_GROWTH_KB = 100_000;

	private static final Duration LIMIT = Duration.ofSeconds(60);

	@Test
	void fortyReadersThatNeverReadAreCutOffAndTakeNoMemory() {
		try (HarmedDataNode store = HarmedDataNode.start();
				Instances instances = Instances.start(store);
				Site author = Site.startAt("127.0.0.1", store.process().port())) {
			Visitor alice = Visitor.registered(author);
			Flood flood = new Flood(author, alice, instances.get(0));
			flood.pass();
			int before = flood.residentKb();
			List<Socket> silent = IntStream.range(0, SUBSCRIBERS).mapToObj((i) -> flood.neverRead()).toList();
			flood.pass();
			int after = flood.residentKb();
			log.info("{} kB resident before, {} kB after", before, after);
			assertThat(silent).allSatisfy((socket) -> assertThat(sentUntilItsEnd(socket)).isLessThan(SENT_BYTES));
			assertThat(after - before).isLessThan(MOST_GROWTH_KB);
			assertThat(instances.get(0).operator().get("/actuator/prometheus").body())
				.containsPattern("retwis_live_cut_off_total\\S* " + SUBSCRIBERS + "\\b");
		}
	}

	/** The number of bytes that the server sent before it closed the connection. */
	private static int sentUntilItsEnd(Socket socket) {
		try (socket) {
			socket.setSoTimeout((int) LIMIT.toMillis());
			return socket.getInputStream().readAllBytes().length;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Events of 20 MB in total.
	 *
	 * @param author instance where they are made
	 * @param alice user who makes them
	 * @param victim instance whose streams receive them
	 */
	private record Flood(Site author, Visitor alice, SiteProcess victim) {

		private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");

		private static final int CONCURRENCY = 64;

		/** Waits until the victim has passed the events to all its streams. */
		void pass() {
			String post = this.alice.post("=".repeat(280));
			int size;
			try (EventStream stream = victims("/live/@" + this.alice.name())) {
				stream.await((event) -> true);
				size = stream.awaitPost(this.alice.post("=".repeat(280))).data().length();
			}
			LogPosition last = Flux.range(0, SENT_BYTES / size + 1)
				.flatMapSequential((i) -> Commits.publish(this.author, post, this.alice.id(), post + i), CONCURRENCY)
				.map(CommitLog.Commit::position)
				.blockLast(LIMIT);
			assertThat(last).isNotNull();
			Awaitility.await("the end of the flood").atMost(LIMIT).until(() -> {
				try (EventStream stream = victims("/live/public")) {
					LogPosition position = LogPosition.parse(stream.await((event) -> true).id()).orElseThrow();
					return position.compareTo(last) >= 0;
				}
			});
		}

		private EventStream victims(String path) {
			return Visitor.at(this.victim.origin()).open(path);
		}

		/** Opens a stream that is never read, with a small receive buffer. */
		Socket neverRead() {
			try {
				Socket socket = new Socket();
				socket.setReceiveBufferSize(4096);
				socket.connect(new InetSocketAddress("127.0.0.1", this.victim.port()));
				socket.getOutputStream()
					.write("GET /live/public HTTP/1.0\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
				return socket;
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		int residentKb() {
			try {
				Matcher line = RESIDENT
					.matcher(Files.readString(Path.of("/proc", Long.toString(this.victim.pid()), "status")));
				assertThat(line.find()).isTrue();
				return Integer.parseInt(line.group(1));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
