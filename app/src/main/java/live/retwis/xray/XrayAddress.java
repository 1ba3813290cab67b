package live.retwis.xray;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses of pages with and without the parameter that asks for X-ray. */
final class XrayAddress {

	private static final Pattern IN_QUERY = Pattern.compile("(?:^|(?<=&))xray=[^&#]*&?");

	private XrayAddress() {
	}

	/** An address with another value of the parameter. */
	static String leadingTo(String address, String value) {
		int hash = address.indexOf('#');
		String fragment = (hash < 0) ? "" : address.substring(hash);
		String page = without(address);
		return page + ((page.indexOf('?') < 0) ? "?" : "&") + XrayFilter.PARAMETER + "=" + value + fragment;
	}

	/** The address without the parameter, and without a fragment. */
	static String without(String address) {
		int hash = address.indexOf('#');
		String page = (hash < 0) ? address : address.substring(0, hash);
		int query = page.indexOf('?');
		if (query < 0) {
			return page;
		}
		Matcher parameter = IN_QUERY.matcher(page.substring(query + 1));
		String rest = parameter.replaceAll("");
		rest = rest.endsWith("&") ? rest.substring(0, rest.length() - 1) : rest;
		return rest.isEmpty() ? page.substring(0, query) : page.substring(0, query + 1) + rest;
	}

}
