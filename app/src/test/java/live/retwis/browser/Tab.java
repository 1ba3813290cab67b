package live.retwis.browser;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

import live.retwis.browser.Input.Key;
import org.jspecify.annotations.Nullable;

/**
 * A user's window on the site, with its own cookies and storage. It is always visible,
 * however many tabs a test opens, so no page treats itself as hidden.
 * <p>
 * Methods that use an element wait up to twenty seconds until it exists. Elements are
 * found by CSS selector. If several match, the first one in the document is used.
 */
final class Tab implements AutoCloseable {

	/** A time limit, not a measure of speed: machines that run tests may be busy. */
	private static final Duration LIMIT = Duration.ofSeconds(60);

	private final BidiConnection connection;

	private final String userContext;

	private final String context;

	/** All windows and tabs of this user, also closed ones. */
	private final List<String> contexts;

	private final TabOptions options;

	private final Document document;

	private final Input input;

	private final Emulation emulation;

	private boolean closed;

	private Tab(BidiConnection connection, String userContext, String context, List<String> contexts,
			TabOptions options) {
		this.emulation = new Emulation(connection, context);
		this.emulation.apply(options);
		this.options = options;
		this.connection = connection;
		this.userContext = userContext;
		this.context = context;
		this.contexts = contexts;
		contexts.add(context);
		this.document = new Document(connection, context);
		this.input = new Input(connection, context);
	}

	/** Opens a window instead of a tab, because only one tab of a window is visible. */
	static Tab in(BidiConnection connection, TabOptions options) {
		String userContext = connection.send("browser.createUserContext", Map.of()).path("userContext").asString();
		return new Tab(connection, userContext, create(connection, "window", userContext), new ArrayList<>(), options);
	}

	private static String create(BidiConnection connection, String type, String userContext) {
		return connection.send("browsingContext.create", Map.of("type", type, "userContext", userContext))
			.path("context")
			.asString();
	}

	/** Another window of the same user, also visible. It closes with this one. */
	Tab window() {
		return new Tab(this.connection, this.userContext, create(this.connection, "window", this.userContext),
				this.contexts, this.options);
	}

	/**
	 * Another tab of this window. It covers this one, which is hidden from now on. It
	 * closes with this one.
	 */
	Tab beside() {
		String beside = this.connection
			.send("browsingContext.create",
					Map.of("type", "tab", "userContext", this.userContext, "referenceContext", this.context))
			.path("context")
			.asString();
		return new Tab(this.connection, this.userContext, beside, this.contexts, this.options);
	}

	/** Makes this the visible tab of its window. */
	void activate() {
		this.connection.send("browsingContext.activate", Map.of("context", this.context));
	}

	/**
	 * Runs a function in each page that is opened from now on, before the page's own
	 * scripts.
	 */
	void beforeScripts(String function) {
		this.connection.send("script.addPreloadScript",
				Map.of("functionDeclaration", function, "contexts", List.of(this.context)));
	}

	/** Sets a cookie, as if an earlier page had set it. */
	void setCookie(String name, String value, String host) {
		this.connection.send("storage.setCookie", Map.of("cookie",
				Map.of("name", name, "value", Map.of("type", "string", "value", value), "domain", host, "path", "/"),
				"partition", Map.of("type", "storageKey", "userContext", this.userContext)));
	}

	/**
	 * Makes requests of pages for an address fail from now on, as when the network
	 * changes.
	 */
	void failLoads(String url) {
		this.connection.failLoads(this.context, url);
	}

	/**
	 * Lets the network of pages be a slow link from now on. Only Chromium can do it.
	 * @param roundTrip shortest time from a request to its answer
	 * @param bytesPerSecond what the link carries in each direction
	 */
	void throttle(Duration roundTrip, int bytesPerSecond) {
		this.emulation.throttle(roundTrip, bytesPerSecond);
	}

	/** Shows pages as on paper. Only Chromium can do it. */
	void print() {
		this.emulation.media("print", "none");
	}

	/** Lets pages have the few colours of their reader. Only Chromium can do it. */
	void forceColours() {
		this.emulation.media("", "active");
	}

	/**
	 * Lets the browser have letters of twice the usual size, as its reader may choose.
	 * Only Chromium can do it.
	 */
	void largeLetters() {
		this.emulation.lettersOf(32);
	}

	/** Opens a page and waits until it is loaded with all its files. */
	void open(String url) {
		this.connection.send("browsingContext.navigate",
				Map.of("context", this.context, "url", url, "wait", "complete"));
	}

	void reload() {
		this.connection.send("browsingContext.reload", Map.of("context", this.context, "wait", "complete"));
	}

	/**
	 * Goes through the history, for example -1 for the Back button, and waits until the
	 * page is loaded.
	 */
	void go(int steps) {
		loading(() -> this.connection.send("browsingContext.traverseHistory",
				Map.of("context", this.context, "delta", steps)));
	}

	String url() {
		return string(this.document.call("() => location.href"));
	}

	String title() {
		return string(this.document.call("() => document.title"));
	}

	/**
	 * Clicks as a user does. If the click opens another page, use {@link #clickAndLoad},
	 * or wait for something that only the next page has.
	 */
	void click(String css) {
		click(css, LIMIT);
	}

	void click(String css, Duration limit) {
		Click click = new Click(this.document, this.input, css);
		await(limit).that(click, (tab) -> click.tryNow());
	}

	/** Clicks a link or a form's button, and waits until the next page is loaded. */
	void clickAndLoad(String css) {
		loading(() -> click(css));
	}

	/**
	 * Replaces the text of a field. A line feed is the Enter key; in a field of one line,
	 * use {@link #press} for it. Firefox scrolls to the caret with the first frame after
	 * the last key, and would move what is clicked next; so this waits for that frame.
	 */
	void fill(String css, String text) {
		click(css);
		this.document.call("() => document.activeElement.select()");
		this.input.type(text.isEmpty() ? Key.DELETE.value() : text);
		await().that("\"" + text + "\" in the field " + css, (tab) -> tab.value(css).equals(text));
		this.document.call("() => new Promise((drawn) => requestAnimationFrame(drawn))");
	}

	/** Chooses a file in a form's field. */
	void choose(String css, Path file) {
		Object field = this.document.call("(css) => document.querySelector(css)", css);
		this.input.choose((RemoteValues.Node) Objects.requireNonNull(field), file);
	}

	/** Presses a key in the focused element. */
	void press(Key key) {
		this.input.type(key.value());
	}

	/** The visible text of the element. */
	String text(String css) {
		return string(first(css, Document.VISIBLE_TEXT));
	}

	/** The visible texts of all matching elements, without waiting. */
	List<String> texts(String css) {
		return this.document.all(css, Document.VISIBLE_TEXT).stream().map(Tab::string).toList();
	}

	/** The number of matching elements, visible or not, without waiting. */
	int count(String css) {
		return this.document.all(css, "0").size();
	}

	@Nullable String attribute(String css, String name) {
		return (String) first(css, "e.getAttribute(" + RemoteValues.quote(name) + ")");
	}

	/** A property of an element that is a text or a number. */
	String property(String css, String name) {
		return string(first(css, "String(e." + name + ")"));
	}

	/** The value of a field. */
	String value(String css) {
		return string(first(css, "e.value"));
	}

	/**
	 * The value of an expression in the realm of the page's scripts: a string, number
	 * ({@code Long} or {@code Double}), boolean, list, map or {@code null}. Promises are
	 * awaited.
	 */
	@Nullable Object evaluate(String expression) {
		return this.document.evaluate(expression);
	}

	/** Waits for up to twenty seconds. */
	Await await() {
		return await(LIMIT);
	}

	Await await(Duration limit) {
		return new Await(this, limit);
	}

	/** Saves a screenshot of the whole page as PNG, and creates its folder. */
	Path screenshot(Path file) {
		return new Screenshot(this.connection, this.context).save("document", file);
	}

	/** Saves a screenshot of the visible part as PNG, and creates its folder. */
	Path screenshotOfViewport(Path file) {
		return new Screenshot(this.connection, this.context).save("viewport", file);
	}

	boolean isOpen() {
		return !this.closed;
	}

	/** Also removes the cookies. Closing a closed tab does nothing. */
	@Override
	public void close() {
		if (this.closed) {
			return;
		}
		this.closed = true;
		this.connection.send("browser.removeUserContext", Map.of("userContext", this.userContext));
	}

	/** Errors that scripts made lately in any window or tab of this user. */
	Stream<String> scriptErrors() {
		return this.contexts.stream().flatMap((context) -> this.connection.scriptErrors(context).stream());
	}

	/**
	 * The address, the text, the scripts and the failed loads of the tab, for messages.
	 */
	@Override
	public String toString() {
		String shown = string(this.document
			.call("""
					() => `${location.href} shows:\\n${(document.body?.innerText ?? "nothing").slice(0, 2000)}\\n` +
						`It is ${document.readyState} and ${document.visibilityState}, ${Math.round(performance.now())} ms old, ` +
						`scripts are ${matchMedia("(scripting: enabled)").matches ? "on" : "off"}. Its files:\\n` +
						performance.getEntriesByType("resource").map((one) => `${Math.round(one.startTime)} to ` +
							`${Math.round(one.responseEnd)} ms ${one.initiatorType} ${one.responseStatus} ${one.name}`).join("\\n")"""));
		List<String> failed = this.connection.failedLoads(this.context);
		return failed.isEmpty() ? shown : shown + "\nCould not load\n" + String.join("\n", failed);
	}

	/**
	 * Runs an action that replaces the document, and waits until the next document is
	 * loaded. The old one is marked, because both may have the same address. Between them
	 * Firefox may show an empty document.
	 */
	void loading(Runnable action) {
		String mark = UUID.randomUUID().toString();
		this.document.call("(mark) => { globalThis.mark = mark; }", mark);
		action.run();
		await().that("another page", (tab) -> Boolean.TRUE.equals(this.document
			.call("""
					(mark) => globalThis.mark !== mark && document.readyState === "complete" && location.href !== "about:blank\"""",
					mark)));
	}

	private @Nullable Object first(String css, String expression) {
		return await().value(css, () -> this.document.all(css, expression), (values) -> !values.isEmpty()).get(0);
	}

	private static String string(@Nullable Object value) {
		return (String) Objects.requireNonNull(value);
	}

}
