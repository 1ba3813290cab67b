package live.retwis.web;

import org.springframework.core.Ordered;

/** The places of the filters, from the first to the last. Each has one filter. */
public final class FilterOrder {

	/** Headers of every answer, also of those that a later filter gives. */
	public static final int RESPONSE_HEADERS = Ordered.HIGHEST_PRECEDENCE;

	/** The cookie of a language that the address chooses. */
	public static final int LANGUAGE_CHANGE = RESPONSE_HEADERS + 1;

	/** The position of the log, before anything is read. */
	public static final int PAGE_POSITION = LANGUAGE_CHANGE + 1;

	/** Logs the errors of all filters behind it. */
	public static final int ERROR_LOG = PAGE_POSITION + 1;

	/** What the management port answers. */
	public static final int MANAGEMENT_PORT = ERROR_LOG + 1;

	/** Reads a form before anybody looks at it. */
	public static final int FORM_READER = MANAGEMENT_PORT + 1;

	/** Checks the token of a form. */
	public static final int CSRF = FORM_READER + 1;

	/** Bounds the requests in work. A form is in work once it has been read. */
	public static final int CONCURRENCY_LIMIT = CSRF + 1;

	/** Records the commands of a page, and those of a form whose token is right. */
	public static final int XRAY = CONCURRENCY_LIMIT + 1;

	/** Bounds how many stored runs of the lab are rendered. */
	public static final int STORED_RUN_CONCURRENCY = XRAY + 1;

	/** Answers pages, so no filter behind it sees one. */
	public static final int DIRECT_PAGES = Ordered.LOWEST_PRECEDENCE;

	private FilterOrder() {
	}

}
