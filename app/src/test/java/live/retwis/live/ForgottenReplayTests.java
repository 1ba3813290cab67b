package live.retwis.live;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import live.retwis.log.CommitLog.Commit;
import live.retwis.log.LogPosition;
import live.retwis.testing.Commits;
import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A reader stops reading in the middle of a replay, until the instance no longer has the
 * rest.
 */
class ForgottenReplayTests {

	private static final Duration LIMIT = Duration.ofSeconds(20);

	/**
	 * Number of posts. Each has more than 1 KB, so all are more than the socket buffers
	 * on both sides hold.
	 */
	private static final int REPLAY = 1000;

	/** Fewer than a stream's buffer holds, so that the author's own is not cut off. */
	private static final int AT_ONCE = 100;

	@Test
	@Tag("slow")
	@Tag("long")
	void aReaderWhoseReplayIsForgottenIsCutOffAndGetsAResetLater() throws IOException {
		try (Site site = Site.another("--retwis.live.replay-entries=" + REPLAY, "--retwis.live.heartbeat=60s");
				Socket slow = new Socket()) {
			Visitor alice = Visitor.registered(site);
			Visitor bob = Visitor.registered(site);
			String address = alice.get("/@" + alice.name()).live().replaceFirst("&since=.*", "");
			List<String> missed = flood(site, alice);
			awaitStreams(site, 0);
			slow.setReceiveBufferSize(4096);
			slow.connect(new InetSocketAddress("127.0.0.1", site.port()));
			slow.getOutputStream()
				.write(("GET " + address + " HTTP/1.0\r\nHost: x\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
			awaitStreams(site, 1);
			flood(site, bob);
			List<String> seen = ids(slow);
			assertThat(seen).as("was cut off in the middle").hasSizeBetween(1, REPLAY - 100);
			assertThat(seen).as("and nothing was left out before").isEqualTo(missed.subList(0, seen.size()));
			try (EventStream back = alice.open("/live/@" + alice.name(), "Last-Event-ID", seen.get(seen.size() - 1))) {
				assertThat(back.await((event) -> true).name()).isEqualTo("reset");
			}
		}
	}

	private static void awaitStreams(Site site, int open) {
		Awaitility.await()
			.atMost(LIMIT)
			.until(() -> site.bean(StreamRegistry.class).streams().blockOptional(LIMIT).orElseThrow() == open);
	}

	/**
	 * Posts the same long text as often as the memory has room for, and waits until the
	 * feed has all of it.
	 * @return positions in the order of the log
	 */
	private static List<String> flood(Site site, Visitor author) {
		try (EventStream stream = author.open("/live/public")) {
			stream.await((event) -> true);
			String post = author.post("=".repeat(280));
			for (int from = 1; from < REPLAY; from += AT_ONCE) {
				List<String> positions = Flux.range(from, Math.min(AT_ONCE, REPLAY - from))
					.flatMapSequential((i) -> Commits.publish(site, post, author.id(), post + i), 16)
					.map(Commit::position)
					.sort()
					.map(LogPosition::toString)
					.collectList()
					.blockOptional(LIMIT)
					.orElseThrow();
				String last = positions.get(positions.size() - 1);
				stream.await((event) -> event.id().equals(last));
			}
			List<String> all = stream.events("post").stream().map(EventStream.Event::id).toList();
			assertThat(all).hasSize(REPLAY);
			return all;
		}
	}

	/** The ids of the posts that the server sent until it closed the socket. */
	private static List<String> ids(Socket socket) throws IOException {
		socket.setSoTimeout((int) LIMIT.toMillis());
		BufferedReader lines = new BufferedReader(
				new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
		// The last event may be incomplete.
		List<String> ids = lines.lines()
			.filter((line) -> line.startsWith("id: "))
			.map((line) -> line.substring(4))
			.toList();
		return ids.subList(1, ids.size() - 1);
	}

}
