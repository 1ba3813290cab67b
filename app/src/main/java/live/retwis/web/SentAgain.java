package live.retwis.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import org.springframework.util.MultiValueMap;

/**
 * A form that was refused, to be sent again as it was. Passwords and files are not in it:
 * the page that answers asks for them.
 *
 * @param path address that the form is sent to
 * @param hidden fields that are sent again unseen
 * @param texts fields with what the user has written
 */
record SentAgain(String path, List<Field> hidden, List<Field> texts) {

	private static final Set<String> LEFT_OUT = Set.of("_csrf", "password", "password2", "old");

	private static final Set<String> TEXTS = Set.of("body", "bio", "reason");

	static SentAgain of(String path, MultiValueMap<String, String> fields) {
		List<Field> hidden = new ArrayList<>();
		List<Field> texts = new ArrayList<>();
		fields.forEach((name, values) -> {
			if (!LEFT_OUT.contains(name)) {
				List<Field> place = TEXTS.contains(name) ? texts : hidden;
				values.forEach((value) -> place.add(new Field(name, value)));
			}
		});
		return new SentAgain(path, hidden, texts);
	}

	/** A field with the value that was sent. */
	record Field(String name, String value) {
	}

}
