package live.retwis.live;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import io.micrometer.core.instrument.MeterRegistry;
import live.retwis.account.UsernameRepository;
import live.retwis.log.CommitLog.Commit;
import live.retwis.log.LogPosition;
import live.retwis.testing.Commits;
import live.retwis.testing.EventStream;
import live.retwis.testing.EventStream.Event;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Quiet streams, abandoned streams and slow readers, at an instance with a short
 * heartbeat and a small buffer.
 */
class StreamLifeTests {

	private static final Duration LIMIT = Duration.ofSeconds(10);

	/**
	 * Number of posts. Each has more than 1 KB, so all are more than the socket buffers
	 * on both sides hold.
	 */
	private static final int FLOOD = 3000;

	/**
	 * Streams that are closed while they open. Once, one in fifty of them was never
	 * removed.
	 */
	private static final int ABORTED = 1000;

	private static final Duration LONGEST_OPENING = Duration.ofMillis(4);

	@SuppressWarnings("NullAway.Init")
	private static Site site;

	private final Visitor alice = Visitor.registered(site);

	@BeforeAll
	static void start() {
		site = Site.another("--retwis.live.heartbeat=1s", "--retwis.live.buffer=16");
	}

	@AfterAll
	static void stop() {
		site.close();
	}

	@Test
	@Tag("slow")
	void aQuietStreamSendsHeartbeats() {
		try (EventStream stream = this.alice.open("/live/home")) {
			Awaitility.await().atMost(LIMIT).until(() -> stream.events("position").size() >= 3);
			// What other tests have written late may move the position, which is the
			// newest.
			assertThat(stream.events()).extracting(Event::name).containsOnly("position");
			assertThat(stream.events()).extracting((event) -> LogPosition.parse(event.id()).orElseThrow()).isSorted();
		}
	}

	@Test
	void theHeartbeatOfAQuietStreamHasTheNewestPositionAndCanBeResumedFrom() {
		Visitor stranger = Visitor.registered(site);
		String last;
		try (EventStream stream = this.alice.open("/live/home")) {
			String first = stream.await((event) -> true).id();
			stranger.post("not for Alice");
			last = stream.await((event) -> event.name().equals("position") && !event.id().equals(first)).id();
			assertThat(stream.events("post")).isEmpty();
		}
		String missed = this.alice.post("missed");
		try (EventStream stream = this.alice.open("/live/home", "Last-Event-ID", last)) {
			stream.awaitPost(missed);
			assertThat(stream.events("reset")).isEmpty();
			assertThat(stream.events("post")).hasSize(1);
		}
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void anOldStreamIsEndedWithARetryDelay() {
		try (Site restless = Site.another("--retwis.live.life=3s")) {
			long opened = System.nanoTime();
			try (EventStream stream = EventStreams.open(restless, "/live/public", this.alice)) {
				stream.await((event) -> event.name().equals("position"));
				stream.awaitEnd();
				assertThat(Duration.ofNanos(System.nanoTime() - opened)).isBetween(Duration.ofSeconds(2), LIMIT);
				assertThat(stream.retry()).isEqualTo("1000");
			}
		}
	}

	@Test
	void aStreamWhoseSocketIsClosedIsRemoved() {
		awaitStreams(0);
		EventStream home = this.alice.open("/live/home");
		EventStream everyone = this.alice.open("/live/public");
		awaitStreams(2);
		home.close();
		awaitStreams(1);
		everyone.close();
		awaitStreams(0);
	}

	/** The sockets are closed at different moments of the opening. */
	@Test
	@Tag("slow")
	void streamsThatAreClosedWhileTheyOpenAreRemoved() throws IOException {
		awaitStreams(0);
		byte[] request = "GET /live/public HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
		for (int i = 0; i < ABORTED; i++) {
			try (Socket socket = new Socket("127.0.0.1", site.port())) {
				socket.setSoLinger(true, 0);
				socket.getOutputStream().write(request);
				LockSupport.parkNanos(i * LONGEST_OPENING.toNanos() / ABORTED);
			}
		}
		awaitStreams(0);
	}

	@Test
	void headOpensNoStream() {
		awaitStreams(0);
		for (String path : List.of("/live/public", "/live/home", "/live/@" + this.alice.name())) {
			assertThat(this.alice.send("HEAD", path, BodyPublishers.noBody()).status()).isEqualTo(200);
		}
		assertThat(streams()).isZero();
	}

	@Test
	void aSlowReaderIsCutOffAndLosesNothing() throws IOException {
		awaitStreams(0);
		try (Socket slow = new Socket()) {
			slow.setReceiveBufferSize(4096);
			slow.connect(new InetSocketAddress("127.0.0.1", site.port()));
			slow.getOutputStream()
				.write("GET /live/public HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
			awaitStreams(1);
			double before = cutOffs();
			List<String> positions = flood();
			awaitStreams(0);
			assertThat(cutOffs() - before).isOne();
			List<String> seen = ids(slow);
			String last = seen.get(seen.size() - 1);
			seen.retainAll(positions);
			assertThat(seen).as("was cut off in the middle").hasSizeLessThan(FLOOD);
			while (seen.size() < FLOOD) {
				try (EventStream rest = this.alice.open("/live/public", "Last-Event-ID", last)) {
					Awaitility.await("the rest, or to be cut off again")
						.atMost(LIMIT)
						.until(() -> rest.isEnded() || rest.lastEventId().equals(positions.get(FLOOD - 1)));
					rest.events("post").stream().map(Event::id).filter(positions::contains).forEach(seen::add);
					last = rest.lastEventId();
				}
			}
			assertThat(seen).isEqualTo(positions);
		}
	}

	/**
	 * Posts the same long text again and again, as fast as the log accepts it. Two
	 * threads do so, so that the order of the calls is not the order of the log.
	 * @return positions in the order of the log
	 */
	private List<String> flood() {
		String post = this.alice.post("=".repeat(280));
		String author = site.bean(UsernameRepository.class).findId(this.alice.name()).block(LIMIT);
		assertThat(author).isNotNull();
		List<String> positions = Flux.range(0, FLOOD)
			.flatMapSequential((i) -> Commits.publish(site, post, author, post + i), 64)
			.map(Commit::position)
			.sort()
			.map(LogPosition::toString)
			.collectList()
			.block(Duration.ofSeconds(30));
		assertThat(positions).isNotNull();
		return positions;
	}

	/** The ids of the posts that the server sent until it closed the socket. */
	private static List<String> ids(Socket socket) throws IOException {
		socket.setSoTimeout((int) LIMIT.toMillis());
		List<String> ids = new ArrayList<>();
		BufferedReader lines = new BufferedReader(
				new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
		String id = "";
		for (String line = lines.readLine(); line != null; line = lines.readLine()) {
			if (line.startsWith("id: ")) {
				id = line.substring(4);
			}
			else if (line.isEmpty() && !id.isEmpty()) {
				ids.add(id);
				id = "";
			}
		}
		return ids;
	}

	private static double cutOffs() {
		return site.bean(MeterRegistry.class).counter("retwis.live.cut.off").count();
	}

	private static int streams() {
		Integer streams = site.bean(StreamRegistry.class).streams().block(LIMIT);
		assertThat(streams).isNotNull();
		return streams;
	}

	private static void awaitStreams(int expected) {
		Awaitility.await("streams of the instance").atMost(LIMIT).until(StreamLifeTests::streams, (n) -> n == expected);
	}

}
