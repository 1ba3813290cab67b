package live.retwis.xray;

import java.util.Arrays;

import live.retwis.web.PageAddress;

/** Addresses of pages with and without the parameter that asks for X-ray. */
final class XrayAddress {

	private static final String ASKED = XrayFilter.PARAMETER + "=";

	private XrayAddress() {
	}

	/** An address with another value of the parameter. */
	static String leadingTo(String address, String value) {
		int hash = address.indexOf('#');
		String fragment = (hash < 0) ? "" : address.substring(hash);
		return PageAddress.of(address).before(XrayFilter.PARAMETER) + XrayFilter.PARAMETER + "=" + value + fragment;
	}

	/** The address without the parameter, and without a fragment. */
	static String without(String address) {
		return PageAddress.of(address).without(XrayFilter.PARAMETER).toString();
	}

	/** Whether the query of an address has the parameter, with a value. */
	static boolean isAsked(String address) {
		return Arrays.stream(PageAddress.of(address).query().split("&"))
			.anyMatch((pair) -> pair.startsWith(ASKED) && pair.length() > ASKED.length());
	}

}
