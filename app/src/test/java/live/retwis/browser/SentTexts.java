package live.retwis.browser;

/**
 * Texts that a page sends, and the answers that they get instead of those of the site.
 */
final class SentTexts {

	static final String SEND = "form.compose button.primary";

	/**
	 * Gives these answers to the first texts that the page sends. A null is a lost
	 * answer.
	 */
	static final String ANSWERS = """
			window.answers = [%s];
			window.fetch = ((send) => async (...asked) => {
				const answer = asked[0] === "/posts" ? await answers.shift() : undefined;
				if (answer === undefined) return send(...asked);
				if (answer === null) await send(...asked);
				return answer ?? Promise.reject(new TypeError("no answer"));
			})(fetch);
			void 0""";

	/** Makes the page's timers fast, and records how long they should have been. */
	static final String FAST = """
			window.waits = [];
			void (window.setTimeout = ((real) => (task, ms) => real(task, waits.push(ms) && ms / 100))(setTimeout))""";

	static final String WAITING = "Object.keys(sessionStorage).filter((key) => key.includes(':waiting')).length";

	static final String BUSY = "new Response('', { status: 503 })";

	/** The first two texts have to wait until the test answers them. */
	static final String HELD = """
			new Promise((answer) => window.one = answer), new Promise((answer) => window.two = answer)""";

	static final String REFUSED = "Response.json({ detail: 'Not now.' }, { status: 403 })";

	/** From now on, a page waits until the network is back instead of for a time. */
	static final String NO_TIMERS = "void (window.setTimeout = () => 0)";

	static final String ONLINE = "void dispatchEvent(new Event('online'))";

	private SentTexts() {
	}

	static void send(Tab tab, String text) {
		tab.fill("#compose-body", text);
		tab.click(SEND);
	}

}
