package live.retwis.text;

/** A part of the text of a post. */
public sealed interface TextPart {

	/** The part as it was written. */
	String text();

	/** Text without a meaning of its own. */
	record Plain(String text) implements TextPart {
	}

	/**
	 * An address of a page elsewhere. Pages hide its scheme, and the end of a long
	 * address.
	 *
	 * @param text the address, with {@code http} or {@code https}
	 * @param begin index of its host
	 */
	record Url(String text, int begin) implements TextPart {

		/** Most characters that are shown. */
		private static final int SHOWN = 30;

		/** The scheme, which is not shown. */
		public String scheme() {
			return this.text.substring(0, this.begin);
		}

		/** The beginning, which is shown. */
		public String shown() {
			return this.text.substring(this.begin, end());
		}

		/** The rest, which is not shown; empty for none. */
		public String rest() {
			return this.text.substring(end());
		}

		private int end() {
			boolean isLong = this.text.codePointCount(this.begin, this.text.length()) > SHOWN;
			return isLong ? this.text.offsetByCodePoints(this.begin, SHOWN) : this.text.length();
		}

	}

	/**
	 * A mention of a user, who may not exist.
	 *
	 * @param text the name with its {@code @}
	 * @param name the name in lower case
	 */
	record Mention(String text, String name) implements TextPart {
	}

	/**
	 * A hashtag.
	 *
	 * @param text the tag with its {@code #}
	 * @param tag the {@link Hashtag#fold folded} tag
	 */
	record Tag(String text, String tag) implements TextPart {
	}

}
