package live.retwis.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.HttpCookie;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A person whose browser has no JavaScript. It keeps cookies and sends the hidden fields
 * of the last page. It does not follow redirects by itself.
 */
public final class Visitor {

	/**
	 * In a cookie and in the forms of {@link #submit}. It must never be in a log, as
	 * nothing must that visitors send: {@code .ci/run} looks for it in all output.
	 */
	private static final String PLANTED = "never-in-a-log-4711";

	/** A valid password. */
	public static final String PASSWORD = "correct horse battery";

	private static final Pattern CSRF = Pattern.compile("name=\"_csrf\" value=\"([^\"]*)\"");

	private static final AtomicInteger counter = new AtomicInteger();

	private final CookieManager cookies;

	private final HttpClient client;

	private final String origin;

	private final List<String> always = new ArrayList<>();

	private String csrf = "";

	/**
	 * The session cookie with which the token came. Another session has another token.
	 */
	private String csrfSession = "";

	private String name = "";

	private Visitor(String origin) {
		this.origin = origin;
		this.cookies = new CookieManager(null, CookiePolicy.ACCEPT_ALL);
		HttpCookie planted = new HttpCookie("planted", PLANTED);
		planted.setVersion(0);
		planted.setPath("/");
		this.cookies.getCookieStore().add(URI.create(origin), planted);
		this.client = HttpClient.newBuilder()
			.version(HttpClient.Version.HTTP_1_1)
			.followRedirects(HttpClient.Redirect.NEVER)
			.cookieHandler(this.cookies)
			.build();
	}

	private Visitor(String origin, Visitor same) {
		this.origin = origin;
		this.cookies = same.cookies;
		this.client = same.client;
		this.csrf = same.csrf;
		this.csrfSession = same.csrfSession;
		this.name = same.name;
	}

	/** A visitor without an account. */
	public static Visitor of(Site site) {
		return at(site.url(""));
	}

	/** A visitor of an instance behind a proxy, who comes from this address. */
	public static Visitor from(String address, Site site) {
		return of(site).sending("X-Forwarded-For", address);
	}

	/** An address that was not used before in this JVM. */
	public static String freshAddress() {
		int number = counter.incrementAndGet();
		return "203." + (number >> 16 & 255) + "." + (number >> 8 & 255) + "." + (number & 255);
	}

	/** A visitor of the limited instance who has just registered from a fresh address. */
	public static Visitor limited() {
		return registered(from(freshAddress(), Site.limited()), freshName());
	}

	/** A visitor with the same cookies who comes from another address. */
	public Visitor movedTo(String address) {
		return new Visitor(this.origin, this).sending("X-Forwarded-For", address);
	}

	/** A visitor without an account, at the instance with this origin. */
	public static Visitor at(String origin) {
		return new Visitor(origin);
	}

	/** The same browser at another instance, as if a load balancer had sent it there. */
	public Visitor sentTo(String otherOrigin) {
		return new Visitor(otherOrigin, this);
	}

	/** A visitor of the management port. */
	public static Visitor ofManagement(Site site) {
		return new Visitor("http://127.0.0.1:" + site.managementPort());
	}

	/** A name that was not used before in this JVM, at most 20 characters. */
	public static String freshName() {
		return "u" + Long.toString(System.nanoTime() & 0xffffffffL, 36) + "_" + counter.incrementAndGet();
	}

	/** A visitor who has just registered. */
	public static Visitor registered(Site site) {
		return registered(site, freshName());
	}

	/** A visitor who has just registered with this name. */
	public static Visitor registered(Site site, String username) {
		return registered(of(site), username);
	}

	/** A visitor who has just registered at the instance with this origin. */
	public static Visitor registered(String origin) {
		return registered(at(origin), freshName());
	}

	private static Visitor registered(Visitor visitor, String username) {
		visitor.open("/register");
		Answer answer = visitor.register(username, PASSWORD);
		if (answer.status() != 303) {
			throw new AssertionError("registration answered " + answer.status() + " " + answer.body());
		}
		return visitor;
	}

	/** A registered user who has just logged in on another device. */
	public static Visitor signedIn(Site site, String username) {
		return signedIn(site.url(""), username);
	}

	/**
	 * A registered user who has just logged in on another device, at the instance with
	 * this origin.
	 */
	public static Visitor signedIn(String origin, String username) {
		Visitor visitor = at(origin);
		visitor.open("/login");
		Answer answer = visitor.signIn(username, PASSWORD);
		if (answer.status() != 303) {
			throw new AssertionError("signing in answered " + answer.status() + " " + answer.body());
		}
		return visitor;
	}

	/** GET of a page that is there. */
	private void open(String path) {
		Answer page = get(path);
		if (page.status() != 200) {
			throw new AssertionError(path + " answered " + page.status() + " " + page.body());
		}
	}

	/** Sends the registration form. The last page must have it. */
	public Answer register(String username, String password) {
		Answer answer = submit("/register", "username", username, "password", password, "password2", password);
		this.name = (answer.status() == 303) ? username : this.name;
		return answer;
	}

	/** Sends the log-in form. The last page must have it. */
	public Answer signIn(String username, String password) {
		Answer answer = submit("/login", "username", username, "password", password);
		this.name = (answer.status() == 303) ? username : this.name;
		return answer;
	}

	/** Whether the visitor is logged in. */
	public boolean isSignedIn() {
		Answer home = get("/home");
		if (home.status() == 303 && home.location().startsWith("/login")) {
			return false;
		}
		if (home.status() != 200) {
			throw new AssertionError("the home page answered " + home.status() + " " + home.body());
		}
		return true;
	}

	/** The name with which the visitor has registered or logged in. */
	public String name() {
		return this.name;
	}

	/** The user id, from the session's cookie. */
	public String id() {
		return cookie("auth").substring(0, 13);
	}

	/**
	 * Adds a header to all further requests.
	 * @return this visitor
	 */
	public Visitor sending(String name, String value) {
		this.always.add(name);
		this.always.add(value);
		return this;
	}

	/**
	 * GET.
	 * @param headers name, value, name, value
	 */
	public Answer get(String path, String... headers) {
		return send("GET", path, BodyPublishers.noBody(), headers);
	}

	/** GET that accepts JSON. */
	public Answer getJson(String path) {
		return get(path, "Accept", "application/json");
	}

	/**
	 * Sends a form with the CSRF token of the last page that had one.
	 * @param fields name, value, name, value
	 */
	public Answer submit(String path, String... fields) {
		Map<String, String> form = new LinkedHashMap<>();
		form.put("_csrf", token());
		form.put("planted", PLANTED);
		for (int i = 0; i < fields.length; i += 2) {
			form.put(fields[i], fields[i + 1]);
		}
		return send("POST", path, form(form), "Content-Type", "application/x-www-form-urlencoded");
	}

	/**
	 * The token of the last page that had one. After logging in or out it is that of a
	 * page that was opened since.
	 */
	public String token() {
		if (!this.csrfSession.equals(cookie("auth"))) {
			get(cookie("auth").isEmpty() ? "/login" : "/settings");
		}
		return this.csrf;
	}

	/**
	 * Sends a form with files, with the CSRF token of the last page that had one.
	 * @param parts names and values by turns; a value is a text, or the bytes of a file
	 */
	public Answer submitParts(String path, Object... parts) {
		String boundary = "----" + UUID.randomUUID();
		ByteArrayOutputStream body = new ByteArrayOutputStream();
		List<Object> all = new ArrayList<>(List.of("_csrf", token()));
		all.addAll(List.of(parts));
		for (int i = 0; i < all.size(); i += 2) {
			byte[] file = (all.get(i + 1) instanceof byte[] bytes) ? bytes : null;
			write(body, "--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + all.get(i) + "\""
					+ ((file != null) ? "; filename=\"a.png\"\r\nContent-Type: image/png" : "") + "\r\n\r\n");
			body.writeBytes((file != null) ? file : all.get(i + 1).toString().getBytes(StandardCharsets.UTF_8));
			write(body, "\r\n");
		}
		write(body, "--" + boundary + "--\r\n");
		return send("POST", path, BodyPublishers.ofByteArray(body.toByteArray()), "Content-Type",
				"multipart/form-data; boundary=" + boundary);
	}

	private static void write(ByteArrayOutputStream body, String text) {
		body.writeBytes(text.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Sends a form without other fields than the CSRF token, from a page as a browser
	 * names it.
	 * @param page its path, or a whole address
	 */
	public Answer submitFrom(String page, String path) {
		return send("POST", path, form(Map.of("_csrf", token())), "Content-Type", "application/x-www-form-urlencoded",
				"Referer", page.startsWith("/") ? this.origin + page : page);
	}

	/** Sends any request. */
	public Answer send(String method, String path, HttpRequest.BodyPublisher body, String... headers) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(this.origin + path))
			.timeout(Duration.ofSeconds(10))
			.method(method, body);
		List<String> all = Stream.concat(this.always.stream(), Stream.of(headers)).toList();
		if (!all.isEmpty()) {
			request.headers(all.toArray(String[]::new));
		}
		try {
			long sent = System.nanoTime();
			HttpResponse<String> response = this.client.send(request.build(), BodyHandlers.ofString());
			Duration took = Duration.ofNanos(System.nanoTime() - sent);
			Matcher token = CSRF.matcher(response.body());
			if (token.find()) {
				this.csrf = token.group(1);
				this.csrfSession = cookie("auth");
			}
			return new Answer(response.statusCode(), response, response.body(), took);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(method + " " + path, ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

	/** The body of a form with these fields. */
	public static HttpRequest.BodyPublisher form(Map<String, String> fields) {
		return BodyPublishers.ofString(fields.entrySet()
			.stream()
			.map((field) -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
			.collect(Collectors.joining("&")));
	}

	/**
	 * Posts a text from the home page. Pages of the same instance have it then.
	 * @return the post's id
	 */
	public String post(String text) {
		return posted("body", text);
	}

	/**
	 * Replies to a post. Pages of the same instance have the reply then.
	 * @return the reply's id
	 */
	public String reply(String postId, String text) {
		return posted("body", text, "reply_to", postId);
	}

	private String posted(String... fields) {
		get("/home");
		Answer made = postJson(Stream.concat(Stream.of(fields), Stream.of("once", UUID.randomUUID().toString()))
			.toArray(String[]::new));
		if (made.status() != 201) {
			throw new AssertionError("posting answered " + made.status() + " " + made.body());
		}
		Site.at(this.origin).ifPresent(Site::awaitHeard);
		return made.json().get("posts").get(0).get("id").asString();
	}

	/** POST /posts that accepts JSON, with the last CSRF token. */
	public Answer postJson(String... fields) {
		return submitJson("/posts", fields);
	}

	/** POST that accepts JSON, with the last CSRF token. */
	public Answer submitJson(String path, String... fields) {
		Map<String, String> form = new LinkedHashMap<>();
		form.put("_csrf", token());
		for (int i = 0; i < fields.length; i += 2) {
			form.put(fields[i], fields[i + 1]);
		}
		return send("POST", path, form(form), "Content-Type", "application/x-www-form-urlencoded", "Accept",
				"application/json");
	}

	/** Follows another user from that user's profile. */
	public void follow(Visitor other) {
		submitOnProfile(other, "/follow");
	}

	/** Unfollows another user from that user's profile. */
	public void unfollow(Visitor other) {
		submitOnProfile(other, "/unfollow");
	}

	private void submitOnProfile(Visitor other, String form) {
		get("/@" + other.name());
		Answer answer = submit("/@" + other.name() + form);
		if (answer.status() != 303) {
			throw new AssertionError(form + " answered " + answer.status() + " " + answer.body());
		}
	}

	/**
	 * Puts a cookie into the browser, as another host of the same domain could. It takes
	 * the place of one with the same name and path.
	 */
	public void plant(String cookieName, String value, String path) {
		HttpCookie planted = new HttpCookie(cookieName, value);
		planted.setPath(path);
		planted.setDomain(URI.create(this.origin).getHost());
		planted.setVersion(0);
		this.cookies.getCookieStore().add(URI.create(this.origin), planted);
	}

	/** The value of a cookie, whatever the prefix of its name; empty text for none. */
	public String cookie(String cookieName) {
		return this.cookies.getCookieStore()
			.getCookies()
			.stream()
			.filter((cookie) -> cookie.getName().replace("__Host-", "").equals(cookieName))
			.map(HttpCookie::getValue)
			.findFirst()
			.orElse("");
	}

	/** All cookies, as in a request's header. */
	public String cookieHeader() {
		return this.cookies.getCookieStore()
			.getCookies()
			.stream()
			.map((cookie) -> cookie.getName() + "=" + cookie.getValue())
			.collect(Collectors.joining("; "));
	}

	/**
	 * Opens a stream of the site.
	 * @param headers name, value, name, value
	 */
	public EventStream open(String path, String... headers) {
		return EventStream.open(this.origin + path, cookieHeader(),
				Stream.concat(this.always.stream(), Stream.of(headers)).toArray(String[]::new));
	}

}
