package live.retwis.browser;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import live.retwis.browser.Input.Key;
import org.jspecify.annotations.Nullable;

/**
 * One user's window on the site, with cookies and storage of its own. It is always in
 * view, however many tabs a test opens, so no page takes itself for hidden.
 * <p>
 * What acts on an element or reads one waits up to twenty seconds until it is there.
 * Elements are found by CSS selector; where several match, the first in the document is
 * meant.
 */
final class Tab implements AutoCloseable {

	/** No measure of speed: machines that run tests may be busy with others. */
	private static final Duration LIMIT = Duration.ofSeconds(20);

	private final BidiConnection connection;

	private final String userContext;

	private final String context;

	private final TabOptions options;

	private final Document document;

	private final Input input;

	private boolean closed;

	private Tab(BidiConnection connection, String userContext, String context, TabOptions options) {
		new Emulation(connection, context).apply(options);
		this.options = options;
		this.connection = connection;
		this.userContext = userContext;
		this.context = context;
		this.document = new Document(connection, context);
		this.input = new Input(connection, context);
	}

	/**
	 * A window rather than a tab of one: of a window's tabs all but one are hidden.
	 */
	static Tab in(BidiConnection connection, TabOptions options) {
		String userContext = connection.send("browser.createUserContext", Map.of()).path("userContext").asString();
		return new Tab(connection, userContext, create(connection, "window", userContext), options);
	}

	private static String create(BidiConnection connection, String type, String userContext) {
		return connection.send("browsingContext.create", Map.of("type", type, "userContext", userContext))
			.path("context")
			.asString();
	}

	/**
	 * Another window of the same user, in view as well. It goes when this one is closed.
	 */
	Tab window() {
		return new Tab(this.connection, this.userContext, create(this.connection, "window", this.userContext),
				this.options);
	}

	/**
	 * Another tab of this window, before this one, which is hidden from here on. It goes
	 * when this one is closed.
	 */
	Tab beside() {
		String beside = this.connection
			.send("browsingContext.create",
					Map.of("type", "tab", "userContext", this.userContext, "referenceContext", this.context))
			.path("context")
			.asString();
		return new Tab(this.connection, this.userContext, beside, this.options);
	}

	/** Brings it before the other tabs of its window. */
	void activate() {
		this.connection.send("browsingContext.activate", Map.of("context", this.context));
	}

	/**
	 * Has a function called in each page that is opened from here on, before its own
	 * scripts.
	 */
	void beforeScripts(String function) {
		this.connection.send("script.addPreloadScript",
				Map.of("functionDeclaration", function, "contexts", List.of(this.context)));
	}

	/**
	 * Has what pages ask of an address fail from here on, as when the network changes.
	 */
	void failLoads(String url) {
		this.connection.failLoads(this.context, url);
	}

	/**
	 * Opens a page and waits until it is loaded with all that it needs.
	 */
	void open(String url) {
		this.connection.send("browsingContext.navigate",
				Map.of("context", this.context, "url", url, "wait", "complete"));
	}

	void reload() {
		this.connection.send("browsingContext.reload", Map.of("context", this.context, "wait", "complete"));
	}

	/**
	 * Goes back or forth in the history, such as -1 for the Back button, and waits until
	 * the page is loaded.
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
	 * Clicks as a user does. Where the click leads to another page, use
	 * {@link #clickAndLoad}, or wait for something that only the next page shows.
	 */
	void click(String css) {
		click(css, LIMIT);
	}

	void click(String css, Duration limit) {
		Click click = new Click(this.document, this.input, css);
		await(limit).that(click, (tab) -> click.tryNow());
	}

	/**
	 * Clicks a link or a form's button and waits until the next page is loaded.
	 */
	void clickAndLoad(String css) {
		loading(() -> click(css));
	}

	/**
	 * Types a text into a field in place of what is there; a line feed is the Enter key,
	 * so in a field of one line {@link #press} it instead.
	 */
	void fill(String css, String text) {
		click(css);
		this.document.call("() => document.activeElement.select()");
		this.input.type(text.isEmpty() ? Key.DELETE.value() : text);
		await().that("\"" + text + "\" in the field " + css, (tab) -> tab.value(css).equals(text));
	}

	/**
	 * Presses a key where the focus is.
	 */
	void press(Key key) {
		this.input.type(key.value());
	}

	/**
	 * The text that a user sees in the element.
	 */
	String text(String css) {
		return string(first(css, Document.VISIBLE_TEXT));
	}

	/**
	 * The texts that a user sees in all elements that match, without waiting.
	 */
	List<String> texts(String css) {
		return this.document.all(css, Document.VISIBLE_TEXT).stream().map(Tab::string).toList();
	}

	/**
	 * How many elements match, seen or not, without waiting.
	 */
	int count(String css) {
		return this.document.all(css, "0").size();
	}

	@Nullable String attribute(String css, String name) {
		return (String) first(css, "e.getAttribute(" + RemoteValues.quote(name) + ")");
	}

	/**
	 * What a field holds.
	 */
	String value(String css) {
		return string(first(css, "e.value"));
	}

	/**
	 * What an expression is worth in the page, where its scripts run: a string, number
	 * ({@code Long} or {@code Double}), boolean, list, map or {@code null}. A promise is
	 * waited for.
	 */
	@Nullable Object evaluate(String expression) {
		return this.document.evaluate(expression);
	}

	/**
	 * Waits for up to twenty seconds.
	 */
	Await await() {
		return await(LIMIT);
	}

	Await await(Duration limit) {
		return new Await(this, limit);
	}

	/**
	 * Saves a picture of the whole page, as PNG, and makes the folder for it.
	 */
	Path screenshot(Path file) {
		return new Screenshot(this.connection, this.context).save("document", file);
	}

	/**
	 * Saves a picture of what is in view, as PNG, and makes the folder for it.
	 */
	Path screenshotOfViewport(Path file) {
		return new Screenshot(this.connection, this.context).save("viewport", file);
	}

	boolean isOpen() {
		return !this.closed;
	}

	/**
	 * Forgets the cookies, too. A tab that is closed already stays so.
	 */
	@Override
	public void close() {
		if (this.closed) {
			return;
		}
		this.closed = true;
		this.connection.send("browser.removeUserContext", Map.of("userContext", this.userContext));
	}

	/**
	 * The address and the text that the tab shows and what it could not load, for
	 * messages.
	 */
	@Override
	public String toString() {
		String shown = string(this.document.call("""
				() => location.href + " shows:\\n" + (document.body?.innerText ?? "nothing").slice(0, 2000)"""));
		List<String> failed = this.connection.failedLoads(this.context);
		return failed.isEmpty() ? shown : shown + "\nCould not load\n" + String.join("\n", failed);
	}

	/**
	 * Does what replaces the document and waits until the next one is loaded. The old one
	 * is marked, as its address may be the same; in between Firefox may show an empty
	 * one.
	 */
	private void loading(Runnable action) {
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
