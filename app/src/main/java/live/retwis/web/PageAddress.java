package live.retwis.web;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;

import org.springframework.web.server.ServerWebExchange;

/**
 * The address of a page, for links to the same page with another value of one parameter.
 * All other parameters stay.
 *
 * @param path its path; empty for that of the request
 * @param query its query without the question mark, as it was sent; empty for none
 */
public record PageAddress(String path, String query) {

	/** The address of the request. */
	static final PageAddress HERE = new PageAddress("", "");

	private static final String BETWEEN = "&";

	/**
	 * Reads an address inside the site.
	 * @param address its fragment is left out
	 */
	public static PageAddress of(String address) {
		String page = address.split("#", 2)[0];
		int mark = page.indexOf('?');
		return (mark < 0) ? new PageAddress(page, "")
				: new PageAddress(page.substring(0, mark), page.substring(mark + 1));
	}

	/** The address of a request, relative to itself. */
	public static PageAddress of(ServerWebExchange exchange) {
		return new PageAddress("", Objects.requireNonNullElse(exchange.getRequest().getURI().getRawQuery(), ""));
	}

	/** The address without the parameter. */
	public PageAddress without(String parameter) {
		return this.query.isEmpty() ? this
				: new PageAddress(this.path,
						Arrays.stream(this.query.split(BETWEEN))
							.filter((pair) -> !pair.isEmpty() && !pair.split("=", 2)[0].equals(parameter))
							.collect(Collectors.joining(BETWEEN)));
	}

	/**
	 * The address without the parameter, as far as the place where it can be added: its
	 * end is a question mark or an ampersand.
	 */
	public String before(String parameter) {
		PageAddress rest = without(parameter);
		return rest.path + "?" + (rest.query.isEmpty() ? "" : rest.query + BETWEEN);
	}

	@Override
	public String toString() {
		return this.query.isEmpty() ? this.path : this.path + "?" + this.query;
	}

}
