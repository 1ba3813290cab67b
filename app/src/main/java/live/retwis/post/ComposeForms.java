package live.retwis.post;

import java.util.regex.Pattern;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.redis.TimeSortedIdGenerator;
import live.retwis.text.TextNormalizer;
import live.retwis.web.ProblemException;
import live.retwis.web.ReturnAddress;
import live.retwis.web.SubmittedForm;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;

/** Creates and reads the form for a post. */
@Component
public class ComposeForms {

	private static final Pattern ONCE = Pattern.compile("[A-Za-z0-9_-]{1,64}");

	/**
	 * Longest text, in characters, that is shown again. It is more than any post may
	 * have; a longer text is refused with 413.
	 */
	private static final int SHOWN_AGAIN = 20_000;

	private final PostProperties properties;

	ComposeForms(PostProperties properties) {
		this.properties = properties;
	}

	/** An empty form on the given page, with a new {@code once} value. */
	public ComposeView fresh(@Nullable String replyTo, String page) {
		return empty(ComposeView.freshOnce(), replyTo, page);
	}

	/** An empty form with the given {@code once} value. */
	public ComposeView empty(String once, @Nullable String replyTo, String page) {
		return new ComposeView("", null, once, this.properties.length(), replyTo, page, null, null, false);
	}

	/**
	 * Reads a form that was sent. Its error says what is wrong with the text. A text with
	 * too many lines is refused, not joined: only its author knows which lines belong
	 * together. A form without {@code once} gets a new value, so sending it twice makes
	 * two posts.
	 * @throws ProblemException 400 when {@code once} or {@code reply_to} has a value that
	 * no page of this site sends
	 */
	ComposeView read(SubmittedForm sent) {
		String once = sent.get("once");
		if (!once.isEmpty() && !ONCE.matcher(once).matches()) {
			throw new ProblemException(HttpStatus.BAD_REQUEST, Message.of("compose.once-invalid"));
		}
		String replyTo = sent.get("reply_to");
		if (!replyTo.isEmpty() && !TimeSortedIdGenerator.isValid(replyTo)) {
			throw new ProblemException(HttpStatus.BAD_REQUEST, Message.of("compose.reply-invalid"));
		}
		String body = TextNormalizer.of(sent.get("body"));
		return new ComposeView(body, fault(body), once.isEmpty() ? ComposeView.freshOnce() : once,
				this.properties.length(), replyTo.isEmpty() ? null : replyTo,
				ReturnAddress.or(sent.get("next"), replyTo.isEmpty() ? "/home" : "/posts/" + replyTo), null,
				sent.get("author").isEmpty() ? null : sent.get("author"), false);
	}

	private @Nullable Localized fault(String body) {
		int length = body.codePointCount(0, body.length());
		if (length > SHOWN_AGAIN) {
			throw new ResponseStatusException(HttpStatus.CONTENT_TOO_LARGE);
		}
		if (length > this.properties.length()) {
			return Message.of("compose.too-long", length, this.properties.length());
		}
		if (body.isEmpty()) {
			return Message.of("compose.empty");
		}
		if (TextNormalizer.lineEnds(body) > TextNormalizer.MOST_LINE_ENDS) {
			return Message.of("compose.too-many-lines", TextNormalizer.lineEnds(body), TextNormalizer.MOST_LINE_ENDS);
		}
		return body.codePoints().anyMatch(TextNormalizer::isControl) ? Message.of("compose.control-character") : null;
	}

}
