package live.retwis.text;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A part of the text of a post. */
public sealed interface TextPart {

	/** The part as it was written. */
	String text();

	/** Text without a meaning of its own. */
	record Plain(String text) implements TextPart {
	}

	/**
	 * An address of a page elsewhere. Pages hide its scheme, and the end of a long
	 * address. They show the whole host, because it says whose page this is. Of a very
	 * long host they show the end: whoever has a name may put anything before it, such as
	 * the name of another site.
	 *
	 * @param text the address, with {@code http} or {@code https}
	 * @param begin index of its host
	 */
	record Url(String text, int begin) implements TextPart {

		/** Most characters that are shown, unless the host has more. */
		private static final int SHOWN = 30;

		/** Most characters of the host that are shown. */
		private static final int SHOWN_OF_HOST = 60;

		private static final Pattern AFTER_HOST = Pattern.compile("[/?#]");

		/** The scheme, and what else comes before the shown part. It is not shown. */
		public String before() {
			return this.text.substring(0, first());
		}

		/** Whether the beginning of the host is not shown. */
		public boolean isHostCut() {
			return first() > this.begin;
		}

		/** The part that is shown. */
		public String shown() {
			return this.text.substring(first(), last());
		}

		/** The rest, which is not shown; empty for none. */
		public String rest() {
			return this.text.substring(last());
		}

		private int first() {
			boolean isLong = this.text.codePointCount(this.begin, hostEnd()) > SHOWN_OF_HOST;
			return isLong ? this.text.offsetByCodePoints(hostEnd(), -SHOWN_OF_HOST) : this.begin;
		}

		private int last() {
			boolean isLong = this.text.codePointCount(this.begin, this.text.length()) > SHOWN;
			return isLong ? Math.max(this.text.offsetByCodePoints(this.begin, SHOWN), hostEnd()) : this.text.length();
		}

		private int hostEnd() {
			Matcher after = AFTER_HOST.matcher(this.text);
			return after.find(this.begin) ? after.start() : this.text.length();
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
	 * @param tag the {@link HashtagRules#fold folded} tag
	 */
	record Tag(String text, String tag) implements TextPart {
	}

}
