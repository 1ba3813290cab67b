package live.retwis.web;

import java.util.List;
import java.util.regex.Pattern;

/** How a static file may be compressed, the smallest first. */
enum ContentCoding {

	BROTLI("br"), GZIP("gzip");

	private final String text;

	private final Pattern accepted;

	ContentCoding(String text) {
		this.text = text;
		this.accepted = Pattern.compile("(?i)\\b" + text + "\\b(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))");
	}

	/** Its name in HTTP. */
	String text() {
		return this.text;
	}

	/** Whether {@code Accept-Encoding} names it, with a weight other than 0. */
	boolean isIn(List<String> headers) {
		return headers.stream().anyMatch((codings) -> this.accepted.matcher(codings).find());
	}

}
