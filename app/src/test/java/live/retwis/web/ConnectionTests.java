package live.retwis.web;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import live.retwis.locks.nodes.testing.OwnRedis;
import live.retwis.locks.nodes.testing.RedisExtension;
import live.retwis.locks.nodes.testing.TestRedis;
import live.retwis.testing.EventStream;
import live.retwis.testing.Site;
import live.retwis.testing.Visitor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Clients that take more of an instance than their share. This machine has many loopback
 * addresses, so each test has clients of its own. The first one counts as a proxy.
 */
@Timeout(60)
@ExtendWith(RedisExtension.class)
@SuppressWarnings("NullAway.Init")
class ConnectionTests {

	private static final Duration LIMIT = Duration.ofSeconds(10);

	private static final int MOST = 4;

	/** Requests that an instance gets while it is full already. */
	private static final int FURTHER = 5;

	private static TestRedis store;

	private static Site site;

	@BeforeAll
	static void start(@OwnRedis TestRedis redis) {
		store = redis;
		site = Site.start(redis, "--retwis.limits.enabled=true", "--retwis.proxies=127.0.0.1",
				"--retwis.limits.connections-by-address=" + MOST, "--retwis.limits.connections=100",
				"--retwis.limits.streams-by-address=" + MOST, "--retwis.limits.streams-by-session=2",
				"--retwis.limits.requests=" + MOST, "--retwis.limits.head-timeout=500ms",
				"--retwis.limits.body-timeout=500ms", "--retwis.limits.idle-timeout=3s",
				"--retwis.live.heartbeat=500ms");
	}

	@AfterAll
	static void stop() {
		site.close();
	}

	private static Socket connect(String from) throws IOException {
		return connect(from, site.port());
	}

	private static Socket connect(String from, int port) throws IOException {
		Socket socket = new Socket();
		socket.bind(new InetSocketAddress(from, 0));
		socket.connect(new InetSocketAddress("127.0.0.1", port));
		socket.setSoTimeout((int) LIMIT.toMillis());
		return socket;
	}

	/** Reads until the server closes the connection. */
	private static void awaitClose(Socket socket) throws IOException {
		try {
			socket.getInputStream().readAllBytes();
		}
		catch (SocketException reset) {
			// The server has closed it before it had read everything.
		}
	}

	/** Whether the server answers on this connection. */
	private static boolean answers(Socket socket) throws IOException {
		try {
			socket.getOutputStream()
				.write("GET /login HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
			return socket.getInputStream().read() == 'H';
		}
		catch (SocketException refused) {
			return false;
		}
	}

	private static double metric(String name) {
		return Visitor.ofManagement(site)
			.get("/actuator/prometheus")
			.body()
			.lines()
			.filter((line) -> line.startsWith(name))
			.mapToDouble((line) -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
			.sum();
	}

	private static EventStream open(String address) {
		return open(site, address);
	}

	private static EventStream open(Site at, String address) {
		return Visitor.of(at).open("/live/public", "X-Forwarded-For", address);
	}

	/** Whether a stream is open, and not told to come back. */
	private static boolean isServed(EventStream stream) {
		return !stream.events("position").isEmpty() && !stream.isEnded();
	}

	@Test
	void aConnectionTooManyOfAnAddressIsClosedAndOthersAreServed() throws IOException {
		List<Socket> open = new ArrayList<>();
		try {
			for (int i = 0; i < MOST; i++) {
				open.add(connect("127.0.0.2"));
				assertThat(answers(open.get(i))).isTrue();
			}
			try (Socket refused = connect("127.0.0.2"); Socket other = connect("127.0.0.3")) {
				assertThat(answers(refused)).isFalse();
				assertThat(answers(other)).isTrue();
			}
			assertThat(metric("retwis_connections_refused_total{limit=\"address\"}")).isPositive();
			open.get(0).close();
			Awaitility.await().atMost(LIMIT).until(() -> {
				try (Socket next = connect("127.0.0.2")) {
					return answers(next);
				}
			});
		}
		finally {
			for (Socket socket : open) {
				socket.close();
			}
		}
	}

	@Test
	void theProxyAndTheManagementPortHaveAnyNumberOfConnections() throws IOException {
		List<Socket> open = new ArrayList<>();
		try {
			for (int i = 0; i < 2 * MOST; i++) {
				open.add(connect("127.0.0.1"));
				open.add(connect("127.0.0.5", site.managementPort()));
			}
			for (Socket socket : open) {
				assertThat(answers(socket)).isTrue();
			}
		}
		finally {
			for (Socket socket : open) {
				socket.close();
			}
		}
	}

	@Test
	void connectionsBeyondThoseThatTheOpenFilesAllowAreClosed() throws IOException {
		List<Socket> open = new ArrayList<>();
		try {
			for (int i = 0; i < 100; i++) {
				open.add(connect("127.0.0.1"));
			}
			assertThat(answers(open.get(99))).isFalse();
			assertThat(metric("retwis_connections_refused_total{limit=\"all\"}")).isPositive();
		}
		finally {
			for (Socket socket : open) {
				socket.close();
			}
		}
		Awaitility.await().atMost(LIMIT).until(() -> Visitor.of(site).get("/login").status() == 200);
	}

	@Test
	void someFilesAreLeftForEverythingThatIsNoConnection() {
		assertThat(ConnectionCapacity.possible(1_024)).isEqualTo(512);
		assertThat(ConnectionCapacity.possible(20_000)).isEqualTo(19_000);
		assertThat(ConnectionCapacity.possible(Long.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
	}

	@Test
	void aStreamTooManyOfAnAddressIsToldToComeBackAndAnEndedOneMakesRoomAtOnce() {
		List<EventStream> open = new ArrayList<>();
		try {
			for (int i = 0; i < MOST; i++) {
				open.add(open("2001:db8::" + i));
				open.get(i).await((event) -> event.name().equals("position"));
			}
			assertComesBack(open("2001:db8::ffff"));
			try (EventStream other = open("2001:db8:0:1::1")) {
				other.await((event) -> event.name().equals("position"));
			}
			open.get(0).close();
			Awaitility.await().atMost(LIMIT).until(() -> {
				try (EventStream next = open("2001:db8::1")) {
					return !next.endsWithin(Duration.ofMillis(300));
				}
			});
		}
		finally {
			open.forEach(EventStream::close);
		}
	}

	@Test
	void aStreamTooManyOfASessionIsToldToComeBack() {
		Visitor alice = Visitor.registered(site);
		try (EventStream one = alice.open("/live/home"); EventStream two = alice.open("/live/notifications")) {
			assertComesBack(alice.open("/live/public"));
			try (EventStream other = Visitor.of(site).open("/live/public")) {
				other.await((event) -> event.name().equals("position"));
			}
			assertThat(List.of(one.isEnded(), two.isEnded())).containsOnly(false);
		}
	}

	/** An instance of its own, because it writes such a line only once a minute. */
	@Test
	@Tag("slow")
	void whenAllStreamsAreTakenTheNextOneComesBackLaterAndPagesAreStillServed() {
		ListAppender<ILoggingEvent> logged = new ListAppender<>();
		Logger log = (Logger) LoggerFactory.getLogger("live.retwis.live.StreamLimit");
		logged.start();
		log.addAppender(logged);
		try (Site full = Site.start(store, "--retwis.limits.enabled=true", "--retwis.proxies=127.0.0.1",
				"--retwis.limits.connections=100", "--retwis.limits.streams-by-address=" + MOST,
				"--retwis.live.heartbeat=500ms")) {
			List<EventStream> open = new ArrayList<>();
			try {
				for (int i = 0; i < 90; i++) {
					open.add(open(full, "192.0.2." + i / MOST));
				}
				Awaitility.await().atMost(LIMIT).until(() -> open.stream().allMatch(ConnectionTests::isServed));
				assertThat(logged.list).isEmpty();
				for (int i = 0; i < 3; i++) {
					assertComesBack(open(full, "198.51.100.7"));
				}
				assertThat(logged.list).extracting(ILoggingEvent::getFormattedMessage)
					.containsExactly(
							"Too many streams: 1 refused since the last such line, the latest from 198.51.100.7");
				assertThat(Visitor.from("198.51.100.7", full).get("/login").status()).isEqualTo(200);
				assertThat(open).allMatch(ConnectionTests::isServed);
				open.remove(0).close();
				Awaitility.await().atMost(LIMIT).until(() -> {
					try (EventStream next = open(full, "198.51.100.7")) {
						return !next.endsWithin(Duration.ofMillis(300));
					}
				});
			}
			finally {
				open.forEach(EventStream::close);
			}
		}
		finally {
			log.detachAppender(logged);
		}
	}

	private static void assertComesBack(EventStream refused) {
		refused.awaitEnd();
		assertThat(refused.status()).isEqualTo(200);
		assertThat(refused.events()).isEmpty();
		assertThat(Integer.valueOf(refused.retry())).isBetween(3_000, 10_000);
	}

	@Test
	@Tag("slow")
	@Tag("long")
	void aStreamLivesLongerThanAnIdleConnectionAndAHeadThatDripsDoesNot() throws IOException {
		Visitor bob = Visitor.registered(site);
		try (EventStream stream = Visitor.of(site).open("/live/public"); Socket slow = connect("127.0.0.4")) {
			slow.getOutputStream().write('G');
			assertThat(slow.getInputStream().read()).isEqualTo(-1);
			assertThat(stream.endsWithin(Duration.ofSeconds(5))).isFalse();
			stream.awaitPost(bob.post("still here"));
		}
	}

	@Test
	void formsThatDripAreCutOffAndNothingIsLogged() throws IOException {
		ListAppender<ILoggingEvent> logged = new ListAppender<>();
		Logger log = (Logger) LoggerFactory.getLogger("live.retwis");
		logged.start();
		log.addAppender(logged);
		List<Socket> open = new ArrayList<>();
		try {
			for (int i = 0; i < 50; i++) {
				open.add(connect("127.0.0.1"));
				open.get(i)
					.getOutputStream()
					.write(("POST /login HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
							+ "Content-Length: 1000\r\n\r\nusername=x")
						.getBytes(StandardCharsets.US_ASCII));
			}
			for (Socket socket : open) {
				awaitClose(socket);
			}
		}
		finally {
			log.detachAppender(logged);
			for (Socket socket : open) {
				socket.close();
			}
		}
		assertThat(logged.list).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "GET /home, retry-after: 2", "POST /posts, retry-after: 2", "GET /live/home, retry:" })
	void anOverloadedInstanceRefusesAtOnceAndRecovers(String line, String refusal) throws IOException {
		Visitor carol = Visitor.registered(site);
		String token = carol.get("/home").find("name=\"_csrf\" value=\"([^\"]*)\"");
		String body = line.startsWith("POST") ? "body=x&once=" + UUID.randomUUID() + "&_csrf=" + token : "";
		String request = line + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nCookie: " + carol.cookieHeader()
				+ "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: " + body.length() + "\r\n\r\n"
				+ body;
		double before = metric("retwis_requests_refused_total");
		List<Socket> open = new ArrayList<>();
		store.pause();
		try {
			for (int i = 0; i < 3 * MOST; i++) {
				open.add(connect("127.0.0.1"));
				open.get(i).getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
			}
			Awaitility.await("the refusals, while the other requests wait for the data node")
				.atMost(Duration.ofSeconds(1))
				.until(() -> answered(open) == 2 * MOST);
			List<String> refused = new ArrayList<>();
			for (Socket socket : open) {
				if (socket.getInputStream().available() > 0) {
					refused.add(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
				}
			}
			assertThat(fastestOf(FURTHER, request, refused)).isLessThan(Duration.ofMillis(100));
			assertThat(refused).hasSizeGreaterThanOrEqualTo(2 * MOST + FURTHER)
				.allMatch((answer) -> answer.startsWith("HTTP/1.1 " + (line.contains("/live/") ? "200" : "503")));
			assertThat(Visitor.ofManagement(site).get("/actuator/health/liveness").status()).isEqualTo(200);
			assertThat(metric("retwis_requests_refused_total") - before).isEqualTo(2 * MOST + FURTHER);
			assertThat(refused.stream().filter((answer) -> answer.toLowerCase(Locale.ROOT).contains(refusal)))
				.hasSizeGreaterThanOrEqualTo(2 * MOST + FURTHER);
		}
		finally {
			store.resume();
			for (Socket socket : open) {
				socket.close();
			}
		}
		Awaitility.await().atMost(LIMIT).until(() -> carol.get("/home").status() == 200);
	}

	/**
	 * Sends requests one after the other.
	 * @param answers gets the answers
	 * @return how long the fastest whole answer takes; others may wait for the machine
	 */
	private static Duration fastestOf(int number, String request, List<String> answers) throws IOException {
		long fastest = Long.MAX_VALUE;
		for (int i = 0; i < number; i++) {
			try (Socket socket = connect("127.0.0.1")) {
				long sent = System.nanoTime();
				socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
				answers.add(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
				fastest = Math.min(fastest, System.nanoTime() - sent);
			}
		}
		return Duration.ofNanos(fastest);
	}

	/** How many connections have an answer that can be read. */
	private static long answered(List<Socket> open) throws IOException {
		long number = 0;
		for (Socket socket : open) {
			number += (socket.getInputStream().available() > 0) ? 1 : 0;
		}
		return number;
	}

}
