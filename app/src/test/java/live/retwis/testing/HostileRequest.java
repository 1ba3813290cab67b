package live.retwis.testing;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What somebody could send to a web server to find a mistake in it. It is made by a
 * grammar of requests in which each part can be wrong.
 *
 * @param text its bytes as ISO 8859-1
 * @param mostAnswers how many answers it may get. A request that is hidden in the body of
 * another one must get none
 */
public record HostileRequest(String text, int mostAnswers) {

	/** Stands where a form has its CSRF token, and is as long. */
	private static final String TOKEN = "csrf".repeat(28);

	/** How long an answer is waited for. A request that breaks off gets none. */
	private static final int WAIT_MILLIS = 100;

	private static final String END = "\r\n";

	private static final List<String> METHODS = List.of("GET", "GET", "GET", "POST", "POST", "HEAD", "PUT", "DELETE",
			"OPTIONS", "TRACE", "CONNECT", "PATCH", "PRI", "get", "G\0T", "GE T", "", "GET\t", "M-SEARCH",
			"A".repeat(300), "\u00c3\u00a9");

	private static final List<String> TARGETS = List.of("/", "/login", "/timeline", "/search?q=x", "/posts",
			"/register", "/settings/profile", "/home", "/csp-reports", "/robots.txt", "/lab/runs", "/@nobody",
			"/posts/0123456789ABC", "/timeline?before=1.1.0", "/live/posts/x?after=1-1.x", "/assets/x/site.css", "*",
			"http://elsewhere.example/login", "//elsewhere.example/", "https://user@host:99999/", "/%", "/%zz", "/%00",
			"/%c0%af..", "/..;/..%2f..%5c", "/posts/%F0%28", "/search?q=%FF%FE&q=[]<>\"", "/search?q=%00", "/?a[]=^`|",
			"/tags/%ED%A0%80", "/tags/\u00c3\u00a9", "/@" + "a".repeat(3_000), "/" + "x".repeat(20_000),
			"/search?q=" + "%F0%9F%98%80".repeat(300), "/search?" + "a=b&".repeat(1_500), "/ x", "", "?", "#", "\\",
			"/\0", "/\u007f", "/?lang=zh&lang=%0d%0aX:%20y", "/login?next=//elsewhere.example", "/{x}", "/;a=b;c",
			"/pictures/../../x", "/tags/" + "%CC%81".repeat(1_000));

	private static final List<String> VERSIONS = List.of("HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0",
			"HTTP/0.9", "HTTP/2.0", "HTTP/1.10", "HTTP/9.9", "http/1.1", "HTTP/1.1 x", "", "HTTP/", "ICAP/1.0",
			"HTTP/1.1\0");

	private static final List<String> NAMES = List.of("Accept", "Accept-Language", "Accept-Encoding", "Content-Type",
			"Origin", "Referer", "Cookie", "Range", "If-None-Match", "If-Modified-Since", "Last-Event-ID",
			"X-Forwarded-For", "X-Forwarded-Proto", "Forwarded", "X-Request-Id", "Expect", "Sec-Fetch-Site",
			"X-XSRF-TOKEN", "User-Agent", "Authorization", "X-HTTP-Method-Override", "Host", "Connection", "Via", "TE",
			"Na me", "", "X\0Y", "\u00ff");

	private static final List<String> VALUES = List.of("", "x", "*", "*/*;q=x", "text/html;q=2", "\"", "\"a/b",
			"a/b;c=\"", "application/json", "en;q=NaN", "-", "x-klingon-1-2-3-4-5-6-7-8-9", "br;q=9, gzip;q=-1, *;q=0",
			"identity;q=0", "multipart/form-data", "multipart/form-data; boundary=" + "b".repeat(200),
			"application/x-www-form-urlencoded; charset=x", "text/plain; charset=utf-7", "null", "http://[", "a b",
			"auth=; auth=; XSRF-TOKEN=\"; lang=zz", "auth=0123456789ABC." + "x".repeat(43), "=;=;;;", "bytes=0-,0-,-1",
			"bytes=9999999999999999999-", "W/\"x\", *", "Thu, 99 Foo 2030 99:99:99 GMT", "1-1.x",
			"99999999999999999999-1.y", "for=\"[::1]:x\"", "::ffff:1.2.3.4, x", "https", "100-continue", "200-ok",
			"same-origin", "cross-site", "a." + "b.".repeat(2_000) + "com", "host.example:99999", "[::1", "@", "/",
			"\u0001\u0002", "\u00c3\u0028", "\u001b[2J", "x".repeat(9_000), "x".repeat(70_000), "a,".repeat(2_000),
			"trailers, deflate;q=0.5", "keep-alive, close, Upgrade", "${jndi:ldap://x}", "<script>");

	private static final List<String> BODIES = List.of("", "a=b", "%zz=%", "_csrf=x&body=y", "&".repeat(3_000),
			"a=1&".repeat(3_000), "\u00ff\u00fe=\0", "{\"a\":", "--b\r\nContent-Disposition: form-data; name=\"x",
			"x".repeat(70_000));

	private static final List<String> FORMS = List.of("/posts", "/settings/profile", "/settings/password",
			"/settings/language", "/settings/keys", "/posts/0123456789ABC/like", "/posts/0123456789ABC/repost",
			"/posts/0123456789ABC/report", "/posts/0123456789ABC/delete", "/posts/x/bookmark", "/@nobody/follow",
			"/@nobody/block", "/settings/sessions/x/end", "/lab/actions", "/lab/design", "/register");

	private static final List<String> FIELDS = List.of("body", "once", "reply_to", "name", "bio", "picture", "old",
			"password", "password2", "username", "next", "kind", "node", "client", "quorum", "reason", "lang", "",
			"\0");

	/** A request that must not be answered, because it is part of a body. */
	private static final String HIDDEN = "GET /login HTTP/1.1\r\nHost: hidden\r\nX-Hidden: y\r\n\r\n";

	/** The request with this number. */
	public static HostileRequest of(long number) {
		Random random = new Random(number);
		return switch (random.nextInt(12)) {
			case 0, 1 -> conflict(random);
			case 2 -> pipelined(random);
			case 3 -> upgrade(random);
			case 4 -> breaksOff(random);
			case 5, 6 -> form(random);
			default -> new HostileRequest(head(random) + END + pick(random, BODIES), 2);
		};
	}

	/**
	 * The same request in the browser of a user who is logged in.
	 * @param auth the cookie of the session
	 * @param token the CSRF token
	 */
	public HostileRequest by(String auth, String token) {
		if (token.length() != TOKEN.length()) {
			throw new IllegalArgumentException("a token of " + token.length() + " characters");
		}
		return new HostileRequest(
				this.text.replace("Host: localhost\r\n", "Host: localhost\r\nCookie: auth=" + auth + "\r\n")
					.replace(TOKEN, token),
				this.mostAnswers);
	}

	private static HostileRequest form(Random random) {
		StringBuilder body = new StringBuilder("_csrf=" + TOKEN);
		for (int i = random.nextInt(6); i > 0; i--) {
			String value = random.nextBoolean() ? pick(random, VALUES) : pick(random, BODIES);
			body.append('&').append(encoded(random, pick(random, FIELDS))).append('=').append(encoded(random, value));
		}
		return new HostileRequest(
				"POST " + pick(random, FORMS) + " HTTP/1.1\r\nHost: localhost\r\n"
						+ "Content-Type: application/x-www-form-urlencoded\r\nConnection: close\r\nContent-Length: "
						+ body.length() + "\r\n" + ((random.nextInt(3) == 0) ? header(random) + END : "") + END + body,
				2);
	}

	private static String encoded(Random random, String text) {
		return (random.nextInt(8) == 0) ? text : URLEncoder.encode(text, StandardCharsets.UTF_8);
	}

	private static <T> T pick(Random random, List<T> list) {
		return list.get(random.nextInt(list.size()));
	}

	/** A request line and headers, without the empty line. Most ask for the end. */
	private static String head(Random random) {
		boolean isHonest = random.nextInt(3) == 0;
		String line = (isHonest ? "GET" : pick(random, METHODS)) + " " + pick(random, TARGETS) + " "
				+ (isHonest ? "HTTP/1.1" : pick(random, VERSIONS));
		List<String> headers = new ArrayList<>();
		switch (random.nextInt(20)) {
			case 0 -> headers.add("Host: " + "a.".repeat(random.nextInt(3_500)) + "com\r\nCookie: auth=a; auth=b");
			case 1 -> headers.add("Host: " + pick(random, VALUES));
			case 2 -> headers.add("X: y");
			default -> headers.add("Host: localhost");
		}
		for (int i = random.nextInt(6); i > 0; i--) {
			headers.add(header(random));
		}
		if (random.nextInt(12) > 0) {
			headers.add("Connection: close");
		}
		if (random.nextInt(3) == 0) {
			headers.add("Content-Length: " + random.nextInt(20));
		}
		String end = (random.nextInt(15) == 0) ? "\n" : END;
		return line + end + headers.stream().map((header) -> header + end).collect(Collectors.joining());
	}

	private static String header(Random random) {
		String header = pick(random, NAMES) + ": " + pick(random, VALUES);
		return switch (random.nextInt(15)) {
			case 0 -> header + "\r\n folded: x";
			case 1 -> " " + header;
			case 2 -> header.replace(":", " :");
			case 3 -> header.replace(":", "");
			case 4 -> header + END + header;
			case 5 -> IntStream.range(0, 300).mapToObj((i) -> "X-" + i + ": y").collect(Collectors.joining(END));
			case 6 -> header.replace(": ", ":\t\u000b");
			case 7 -> header + "\rX: y";
			default -> header;
		};
	}

	/** Headers that let two servers disagree where the body ends. */
	private static HostileRequest conflict(Random random) {
		int length = HIDDEN.length();
		String chunked = "Transfer-Encoding: chunked\r\n";
		String framing = pick(random, List.of(chunked + "Content-Length: " + (length + 5) + END,
				"Content-Length: " + (length + 5) + END + chunked,
				"Content-Length: 0\r\nContent-Length: " + length + END, "Content-Length: " + length + ", 0\r\n",
				"Content-Length: +0\r\n", "Content-Length: -1\r\n", "Content-Length: 0x0\r\n",
				"Content-Length: 99999999999999999999\r\n", "Content-Length: 0 0\r\n", "Content-Length: \r\n",
				"Transfer-Encoding: xchunked\r\n", "Transfer-Encoding: identity, chunked\r\nContent-Length: 3\r\n",
				"Transfer-Encoding: chunked, identity\r\n", "Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n",
				"Transfer-Encoding : chunked\r\n", "Transfer-Encoding:\u000bchunked\r\n",
				"Transfer-Encoding: \"chunked\"\r\n", "X: y\rTransfer-Encoding: chunked\r\n",
				chunked + chunked + "Content-Length: 1\r\n"));
		String begin = pick(random,
				List.of("0\r\n\r\n", "0\n\n", "0;x\n\r\n", "zz\r\n", "-1\r\n", "ffffffffffffffff\r\n", "1\r\nxx",
						"0x0\r\n\r\n", "0 \r\n\r\n", "00000000000000000000\r\n\r\n", "5\r\nx\r\n0\r\n\r\n", ""));
		return new HostileRequest("POST " + pick(random, TARGETS.subList(0, 11)) + " HTTP/1.1\r\nHost: localhost\r\n"
				+ framing + END + begin + HIDDEN, 1);
	}

	/** Several good and bad requests at once, on one connection. */
	private static HostileRequest pipelined(Random random) {
		int count = 2 + random.nextInt(6);
		return new HostileRequest(IntStream.range(0, count)
			.mapToObj((i) -> random.nextInt(4) > 0
					? "GET " + pick(random, TARGETS) + " HTTP/1.1\r\nHost: localhost\r\n\r\n" : head(random) + END)
			.collect(Collectors.joining()) + "GET /robots.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
				2 * count + 1);
	}

	/** Offers to speak another protocol, which is then spoken at once. */
	private static HostileRequest upgrade(Random random) {
		String preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
		byte[] frames = new byte[random.nextInt(60)];
		random.nextBytes(frames);
		String noise = new String(frames, StandardCharsets.ISO_8859_1);
		String offer = pick(random, List.of("h2c", "websocket", "h2c, websocket", "TLS/1.3", "\0", "HTTP/2.0"));
		return new HostileRequest(pick(random, List.of(preface + noise, preface + "\0\0\0\4\0\0\0\0\0" + noise,
				"\u0016\u0003\u0001" + noise,
				"GET /login HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: " + offer
						+ "\r\nHTTP2-Settings: " + pick(random, List.of("", "AAMAAABkAAQAAP__", "!", "x".repeat(500)))
						+ "\r\nSec-WebSocket-Key: " + pick(random, VALUES) + "\r\nSec-WebSocket-Version: 13\r\n\r\n"
						+ preface + noise)),
				3);
	}

	private static HostileRequest breaksOff(Random random) {
		String whole = random.nextBoolean() ? head(random) + END : "POST " + pick(random, TARGETS)
				+ " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 90000\r\n\r\n"
				+ pick(random, BODIES);
		return new HostileRequest(whole.substring(0, random.nextInt(whole.length())), 1);
	}

	/**
	 * Sends it to a server on this machine.
	 * @return what came back until the connection was closed, or nothing came for a while
	 */
	public String sendTo(int port) {
		StringBuilder answer = new StringBuilder();
		try (Socket socket = new Socket("127.0.0.1", port)) {
			socket.setSoTimeout(WAIT_MILLIS);
			socket.getOutputStream().write(this.text.getBytes(StandardCharsets.ISO_8859_1));
			InputStream in = socket.getInputStream();
			byte[] bytes = new byte[16 * 1024];
			for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
				answer.append(new String(bytes, 0, read, StandardCharsets.ISO_8859_1));
			}
		}
		catch (IOException closed) {
			// The server may close the connection at any time.
		}
		return answer.toString();
	}

}
