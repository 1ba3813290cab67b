package live.retwis.attack;

import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import live.retwis.attack.Attack.Kind;
import live.retwis.attack.Attack.Plan;
import live.retwis.testing.Visitor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * All attacks. Each comes from addresses of its own. If all came from one, the first ones
 * would take all connections of that address, and the others would not get in.
 */
final class Attackers implements AutoCloseable {

	private static final Duration LIMIT = Duration.ofSeconds(10);

	private static final int MANY = 199;

	/** The only address whose {@code X-Forwarded-For} the instance believes. */
	static final String PROXY = "127.0.1.13";

	private static final String LOG_INS = "log-ins, half with the right password";

	private static final String HEADS = "heads that drip";

	private static final String BODIES = "bodies that drip";

	private static final String SIGN_UPS = "sign-ups";

	private static final String POSTS = "posts of one user";

	private static final String FOLLOWS = "follows and unfollows of one user";

	private static final String NETWORK = "log-ins from changing addresses of one IPv6 network";

	private static final String PLANTED = "planted cookies";

	private static final String FOREIGN = "forms of another site";

	private static final String STREAMS = "streams";

	private static final String IDLE = "idle connections";

	private static final String ACCEPT = "malformed Accept";

	private static final String LANGUAGES = "Accept-Language of 7.6 kB";

	private static final String BYTES = "hostile bytes";

	private static final String GUESSES = "log-ins from 20 addresses";

	/** What is hostile about it is in its bytes. */
	private static final List<String> GARBAGE = List.of(
			"\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\r\n\r\n", "\u001b[2J\u0007\u009b31m\r\n\r\n",
			"GET /\u0000\u001b]0;x\u0007 HTTP/1.1\r\nHost: x\r\n\r\n",
			"GET /" + "a".repeat(9_000) + " HTTP/1.1\r\nHost: x\r\n\r\n",
			"GET / HTTP/1.1\r\nHost: x\r\nX: " + "b".repeat(20_000) + "\r\n\r\n",
			"GET /%ff%00%c0%ae?q=%ed%a0%80 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
			"GET /@\u00ff\u0085\u007f HTTP/1.1\r\nHost: \u001b[31m\r\nConnection: close\r\n\r\n",
			"GET / HTTP/1.1\r\nHost: x\r\nno colon\r\nConnection: close\r\n\r\n",
			"POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
			"POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
			"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
			"GET /timeline HTTP/1.1\r\nHost: x\r\nCookie: auth=\u001b\u0001.; =; \u00ff=\r\nConnection: close\r\n\r\n",
			"GET /live/public?after=%1b HTTP/1.1\r\nHost: x\r\nLast-Event-ID: \u00ff-9e99\r\n\r\n");

	private final Random random = new Random(1);

	private final AtomicInteger counter = new AtomicInteger();

	private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1,
			Executors.defaultThreadFactory(), NioIoHandler.newFactory());

	private final String origin;

	private final List<Attack> attacks;

	/** When the attacks began, by {@link System#nanoTime()}. */
	private long began;

	/**
	 * Prepares all attacks.
	 * @param victim user whose password is guessed
	 * @param owner user who logs in with the right password
	 * @param flooder user who posts and follows
	 * @param stranger attacker without an account, who has seen a form
	 */
	Attackers(String origin, Person victim, Person owner, Person flooder, Person stranger) {
		this.origin = origin;
		int port = URI.create(origin).getPort();
		EventLoop loop = (EventLoop) this.group.next();
		List<Plan> plans = List.of(
				new Plan(LOG_INS, List.of("127.0.0.1"), MANY, 100, Kind.READS,
						() -> this.random.nextBoolean() ? login(stranger, owner, Visitor.PASSWORD)
								: login(stranger, victim, "a wrong password")),
				new Plan(GUESSES, addresses("127.0.2.", 20), MANY, 5, Kind.READS,
						() -> form(stranger, "/login", "", "username", "u" + this.random.nextInt(100_000), "password",
								"a wrong password")),
				new Plan(HEADS, List.of("127.0.1.1"), MANY, 20, Kind.DRIPS, () -> "GET / HTTP/1.1\r\nHost: x\r\nX: "),
				new Plan(BODIES, List.of("127.0.1.2"), MANY, 20, Kind.DRIPS,
						() -> "POST /login HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
								+ "Content-Length: 9999\r\n\r\nusername="),
				new Plan(IDLE, List.of("::1"), 700, 100, Kind.READS, () -> ""),
				new Plan(STREAMS, List.of("127.0.1.3"), 1_000, 50, Kind.READS, () -> get("/live/public", "")),
				new Plan("15 pages at once, read slowly", List.of("127.0.1.4"), MANY, 20, Kind.READS_SLOWLY,
						() -> "GET /timeline HTTP/1.1\r\nHost: x\r\n\r\n".repeat(15)),
				new Plan(ACCEPT, List.of("127.0.1.5"), MANY, 20, Kind.READS,
						() -> get("/no-such-page", "Accept: " + "text/,;q=/".repeat(100) + "\r\n")),
				new Plan(LANGUAGES, List.of("127.0.1.6"), MANY, 20, Kind.READS,
						() -> get("/login", "Accept-Language: " + "xx-YY;q=0.5,".repeat(630) + "zh\r\n")),
				new Plan(BYTES, List.of("127.0.1.7"), MANY, 20, Kind.READS,
						() -> GARBAGE.get(this.random.nextInt(GARBAGE.size()))),
				new Plan(SIGN_UPS, List.of("127.0.1.8"), MANY, 20, Kind.READS, () -> {
					String name = "spam_" + this.counter.incrementAndGet();
					return form(stranger, "/register", "", "username", name, "password", Visitor.PASSWORD, "password2",
							Visitor.PASSWORD);
				}),
				new Plan(POSTS, List.of("127.0.1.9"), MANY, 20, Kind.READS,
						() -> form(flooder, "/posts", "", "body", "spam", "once", UUID.randomUUID().toString())),
				new Plan(FOLLOWS, List.of("127.0.1.10"), MANY, 20, Kind.READS,
						() -> form(flooder,
								"/@" + victim.name() + (this.random.nextBoolean() ? "/follow" : "/unfollow"), "")),
				new Plan(NETWORK, List.of(PROXY), MANY, 20, Kind.READS,
						() -> form(stranger, "/login",
								"X-Forwarded-For: 2001:db8:0:1::%x\r\n".formatted(this.random.nextInt(65_536)),
								"username", owner.name(), "password", "a wrong password")),
				new Plan(PLANTED, List.of("127.0.1.12"), MANY, 20, Kind.READS,
						() -> "POST /posts HTTP/1.1\r\nHost: " + URI.create(origin).getAuthority() + "\r\nCookie: "
								+ flooder.cookies() + "; XSRF-TOKEN=AAAA\r\nOrigin: " + origin
								+ "\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\n"
								+ "Content-Length: 22\r\n\r\n_csrf=AAAA&body=forged"),
				new Plan(FOREIGN, List.of("127.0.1.11"), MANY, 20, Kind.READS, () -> form(flooder, "/posts",
						"Origin: https://evil.example\r\n", "body", "forged", "once", UUID.randomUUID().toString())));
		this.attacks = plans.stream()
			.map((plan) -> new Attack(plan, loop,
					new InetSocketAddress(plan.from().get(0).contains(":") ? "::1" : "127.0.0.1", port)))
			.toList();
	}

	private static List<String> addresses(String network, int number) {
		return IntStream.rangeClosed(1, number).mapToObj((last) -> network + last).toList();
	}

	private String login(Person sender, Person user, String password) {
		return form(sender, "/login", "", "username", user.name(), "password", password);
	}

	private String form(Person sender, String path, String header, String... fields) {
		String body = Person.form(sender.csrf(), fields);
		return "POST " + path + " HTTP/1.1\r\nHost: " + URI.create(this.origin).getAuthority() + "\r\nCookie: "
				+ sender.cookies() + "\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\n"
				+ header + "Content-Length: " + body.length() + "\r\n\r\n" + body;
	}

	private static String get(String path, String header) {
		return "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + header + "\r\n";
	}

	/** Attacks, and returns after this time. The connections stay open. */
	void attack(Duration time) {
		this.began = System.nanoTime();
		this.attacks.forEach(Attack::start);
		this.group.schedule(() -> {
		}, time.toMillis(), TimeUnit.MILLISECONDS).awaitUninterruptibly();
	}

	/** A table of what was tried and what came of it. */
	String table() {
		return this.attacks.stream()
			.map(Attack::row)
			.collect(Collectors.joining("\n",
					"| attack | tried | answers | most at a time |\n| --- | ---: | --- | ---: |\n", ""));
	}

	/**
	 * Checks that limits held, however many tried. A limit lets through its burst, and as
	 * much again in each minute. Three times as much is tolerated. While Redis is slow,
	 * an instance also counts by itself. It counts by the address when it cannot read the
	 * session in time. The attacks go on until now.
	 */
	void assertThatLimitsHeld() {
		double minutes = Duration.ofNanos(System.nanoTime() - this.began).toSeconds() / 60.0;
		int times = (int) Math.ceil(3 * (1 + minutes));
		assertThat(let(LOG_INS, "303", "401")).as(LOG_INS).isPositive().isLessThanOrEqualTo(20 * times);
		assertThat(let(NETWORK, "303", "401")).as(NETWORK).isPositive().isLessThanOrEqualTo(20 * times);
		assertThat(let(SIGN_UPS, "303")).as(SIGN_UPS).isPositive().isLessThanOrEqualTo(5 * times);
		assertThat(let(POSTS, "303")).as(POSTS).isPositive().isLessThanOrEqualTo(10 * times);
		assertThat(let(FOLLOWS, "303")).as(FOLLOWS).isPositive().isLessThanOrEqualTo(30 * times);
		assertThat(let(PLANTED, "200", "201", "303")).as(PLANTED).isZero();
		assertThat(let(FOREIGN, "200", "201", "303")).as(FOREIGN).isZero();
		assertThat(let(PLANTED, "403")).as(PLANTED).isPositive();
		assertThat(let(FOREIGN, "403")).as(FOREIGN).isPositive();
		assertThat(let(STREAMS, "200")).as(STREAMS).isPositive();
		assertThat(let(IDLE, "closed")).as(IDLE).isPositive();
		assertThat(let(ACCEPT, "404")).as(ACCEPT).isPositive();
		assertThat(let(LANGUAGES, "200")).as(LANGUAGES).isPositive();
		assertThat(let(BYTES, "400")).as(BYTES).isPositive();
		for (String bytes : List.of(STREAMS, ACCEPT, LANGUAGES, BYTES)) {
			assertThat(let(bytes, "500", "503")).as(bytes).isZero();
		}
		assertThat(let(HEADS, Attack.OPEN)).as(HEADS).isZero();
		assertThat(let(BODIES, Attack.OPEN)).as(BODIES).isZero();
	}

	/** How often an attack came out so. */
	private int let(String name, String... outcomes) {
		return this.attacks.stream()
			.filter((attack) -> attack.name().equals(name))
			.flatMapToInt((attack) -> Stream.of(outcomes).mapToInt(attack::outcome))
			.sum();
	}

	/** How many wrong passwords of users that do not exist were tried. */
	int guesses() {
		return this.attacks.stream().filter((attack) -> attack.name().equals(GUESSES)).mapToInt(Attack::tried).sum();
	}

	/** The addresses that the attacks come from. */
	Set<String> addresses() {
		return this.attacks.stream().flatMap((attack) -> attack.addresses().stream()).collect(Collectors.toSet());
	}

	/** Closes all connections. */
	@Override
	public void close() {
		this.group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(LIMIT.toMillis());
	}

}
