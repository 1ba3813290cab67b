package live.retwis.xray;

import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import live.retwis.i18n.Localized;
import live.retwis.i18n.Message;
import live.retwis.post.DeletedPost;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one kind, as the table in {@code data-model.md} names them, with what X-ray
 * shows of them. A key that belongs to no family is not shown at all; none belongs to
 * two.
 *
 * @param name the keys' common name, with placeholders such as {@code <id>}
 * @param pattern matches the keys; its group {@code user}, if it has one, is the id of
 * the user whom the key belongs to
 * @param readers who may look into the key
 * @param secret whether the arguments of commands on the key are secret
 */
record KeyVisibilityRule(String name, Pattern pattern, @Nullable Localized meaning, Readers readers, boolean secret) {

	private static final Pattern PLACEHOLDER = Pattern.compile("<(\\w+)>|…");

	/** Fields of {@code user:<id>} that only the user sees. */
	static final List<String> OWN_FIELDS = List.of("active", "suspended", "words");

	/**
	 * Fields of {@code user:<id>} that nobody sees, and what a deleted post was about.
	 */
	static final List<String> SECRET_FIELDS = List.of("password", "password_change", "auth", "rotation",
			DeletedPost.LINKS);

	/** All families, in the order of {@code data-model.md}. */
	static final List<KeyVisibilityRule> ALL = List.of(everybody("user:<id>", Message.of("xray.key.user")),
			everybody("{user:<id>}:picture", Message.of("xray.key.picture")),
			everybody("username:<name>", Message.of("xray.key.username")), secret("auth:<hash>"),
			secret("sessions:<id>"), secret("devices:<id>"), nobody("names:<char>"),
			everybody("users:recent", Message.of("xray.key.recent")),
			everybody("following:<id>", Message.of("xray.key.following")),
			everybody("followers:<id>", Message.of("xray.key.followers")),
			everybody("{followers:<id>}:<number>", Message.of("xray.key.follower-list")),
			owner("muted:<id>", Message.of("xray.key.muted")), owner("blocked:<id>", Message.of("xray.key.blocked")),
			nobody("{live}:closed"), nobody("{live}:suspended"), secret("limit:<rule>"), secret("xray:<form>"),
			everybody("post:<post>", Message.of("xray.key.post")), everybody("way:<post>", Message.of("xray.key.way")),
			everybody("posts:<id>", Message.of("xray.key.posts")),
			everybody("pulled:<id>", Message.of("xray.key.pulled")),
			owner("{t…}:timeline:<id>", Message.of("xray.key.timeline")),
			owner("{t…}:from:<id>", Message.of("xray.key.from")),
			owner("{t…}:changes:<id>", Message.of("xray.key.changes")),
			everybody("replies:<post>", Message.of("xray.key.replies")),
			everybody("likes:<post>", Message.of("xray.key.likes")), owner("liked:<id>", Message.of("xray.key.liked")),
			everybody("reposts:<post>", Message.of("xray.key.reposts")),
			everybody("tag:<tag>", Message.of("xray.key.tag")), everybody("tags:<char>", Message.of("xray.key.tags")),
			everybody("{trending}:<hour>", Message.of("xray.key.trending")), nobody("{trending}:counted"),
			everybody("{trending}:day", Message.of("xray.key.trending")),
			everybody("word:<word>", Message.of("xray.key.word")), nobody("words:<post>"),
			owner("mentions:<id>", Message.of("xray.key.mentions")),
			owner("notifications:<id>", Message.of("xray.key.notifications")),
			owner("{notifications:<id>}:read", Message.of("xray.key.read")),
			owner("bookmarks:<id>", Message.of("xray.key.bookmarks")),
			everybody("{live}:public", Message.of("xray.key.public")),
			owner("{live}:once:<id>:<once>", Message.of("xray.key.once")),
			everybody("{live}:log", Message.of("xray.key.log")), nobody("{live}:bus"), nobody("{live}:intents"),
			nobody("{live}:fanout"), nobody("{live}:unfinished"), nobody("{live}:postponed"),
			nobody("{live}:postponed-by-commit"), everybody("{live}:pulled", Message.of("xray.key.pulled-authors")),
			nobody("{live}:dead"), everybody("{moderation}:registration", Message.of("xray.key.registration")),
			secret("{moderation}:reports"), secret("{moderation}:reports:<post>"), secret("{moderation}:log"),
			nobody("{import}:marks"), secret("fence:<key>"), secret("locks:set"),
			everybody("{lab}:runs", Message.of("xray.key.runs")), nobody("{lab}:run:<run>"), secret("{archive}:site"),
			secret("{archive}:mover"), nobody("{archive}:deleted"), nobody("{archive}:closed"),
			nobody("{archive}:counts"), nobody("{archive}:unindexed"), nobody("{archive}:indexed"),
			nobody("{archive}:tags"), nobody("{archive}:lists"), nobody("in-use:{<list>}"), nobody("archived:<place>"));

	private static KeyVisibilityRule everybody(String name, Localized meaning) {
		return new KeyVisibilityRule(name, pattern(name), meaning, Readers.EVERYBODY, false);
	}

	private static KeyVisibilityRule owner(String name, Localized meaning) {
		return new KeyVisibilityRule(name, pattern(name), meaning, Readers.OWNER, false);
	}

	private static KeyVisibilityRule nobody(String name) {
		return new KeyVisibilityRule(name, pattern(name), null, Readers.NOBODY, false);
	}

	private static KeyVisibilityRule secret(String name) {
		return new KeyVisibilityRule(name, pattern(name), null, Readers.NOBODY, true);
	}

	private static Pattern pattern(String name) {
		StringBuilder regex = new StringBuilder();
		int end = 0;
		Matcher placeholder = PLACEHOLDER.matcher(name);
		while (placeholder.find()) {
			regex.append(Pattern.quote(name.substring(end, placeholder.start()))).append(part(placeholder));
			end = placeholder.end();
		}
		return Pattern.compile(regex.append(Pattern.quote(name.substring(end))).toString(), Pattern.DOTALL);
	}

	private static String part(MatchResult placeholder) {
		if (placeholder.group(1) == null) {
			return "\\d{4}";
		}
		return switch (placeholder.group(1)) {
			case "id" -> "(?<user>[0-9A-Z]{13})";
			case "post" -> "(?<post>[0-9A-Z]{13})";
			case "hour" -> "\\d+";
			default -> ".+";
		};
	}

	/** The family of a key; empty when no family has it. */
	static Optional<KeyVisibilityRule> of(String key) {
		return ALL.stream().filter((family) -> family.pattern.matcher(key).matches()).findFirst();
	}

	/** Id of the user whom the key belongs to; empty when it belongs to nobody. */
	Optional<String> userOf(String key) {
		Matcher matcher = this.pattern.matcher(key);
		return (matcher.matches() && this.name.contains("<id>")) ? Optional.of(matcher.group("user"))
				: Optional.empty();
	}

	/** Id of the post that the key is about; empty when it is about none. */
	Optional<String> postOf(String key) {
		Matcher matcher = this.pattern.matcher(key);
		return (matcher.matches() && this.name.contains("<post>")) ? Optional.of(matcher.group("post"))
				: Optional.empty();
	}

	/** The key as it is shown: without what is secret in its name. */
	String shown(String key) {
		int secretPart = this.name.indexOf("<hash>");
		secretPart = (secretPart < 0) ? this.name.indexOf("<rule>") : secretPart;
		return (secretPart < 0) ? key : this.name.substring(0, secretPart) + "…";
	}

	/** Whether a viewer may look into the key. */
	boolean isReadable(String key, Optional<String> viewerId) {
		return switch (this.readers) {
			case EVERYBODY -> true;
			case OWNER -> viewerId.isPresent() && viewerId.equals(userOf(key));
			case NOBODY -> false;
		};
	}

	/** Who may look into a key. */
	enum Readers {

		/** Pages show everybody all that the key holds. */
		EVERYBODY,
		/** The user whose id is in its name. */
		OWNER,
		/** It is the site's own, or holds secrets. */
		NOBODY

	}

}
