package live.retwis.doctor;

import java.util.List;
import java.util.Map;

import live.retwis.account.AccountStateRepository;
import live.retwis.picture.Picture;
import live.retwis.redis.Keys;
import live.retwis.redis.TimeSortedIdGenerator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Uploaded pictures: a user has the hash of the picture that is there. */
@Component
class PictureRules implements RuleSet {

	private static final String PREFIX = Keys.picture("").replaceAll("}.*", "");

	private static final String SUFFIX = Keys.picture("").substring(PREFIX.length());

	/** Characters of the largest picture, in Base64. */
	private static final int MOST_CHARACTERS = (Picture.MOST_BYTES + 2) / 3 * 4;

	private static final String UNREADABLE = "unreadable";

	private final StoreReader store;

	private final Repairs repairs;

	PictureRules(StoreReader store, Repairs repairs) {
		this.store = store;
		this.repairs = repairs;
	}

	@Override
	public List<KeySchema> keySchemas() {
		return List
			.of(new KeySchema(PREFIX, (rest) -> rest.endsWith(SUFFIX) && TimeSortedIdGenerator.isValid(idOf(rest)),
					"string", (rest) -> picture(idOf(rest))));
	}

	private static String idOf(String rest) {
		return rest.substring(0, rest.length() - SUFFIX.length());
	}

	private Flux<Finding> picture(String id) {
		return this.store.fields(Keys.user(id), "picture", "state")
			.filter((user) -> !AccountStateRepository.DELETED.equals(user.get("state")))
			.flatMapMany((user) -> this.store.value(Keys.picture(id))
				.flatMapMany((found) -> Flux.fromStream(found.stream()))
				.flatMap((text) -> check(id, user, text)));
	}

	private Mono<Finding> check(String id, Map<String, String> user, String text) {
		String hash = user.getOrDefault("picture", "");
		if (text.length() > MOST_CHARACTERS) {
			return Mono.just(finding(id, Keys.picture(id), "has " + text.length() + " characters", hash, text));
		}
		String found = hashOf(text);
		if (hash.equals(found)) {
			return Mono.empty();
		}
		Finding wrong = finding(id, Keys.picture(id), "is not the picture of " + Keys.user(id), hash, text);
		Finding lost = Finding.byHand(Keys.picture(id), "its user " + id + " does not exist",
				"restore the user or delete the picture by hand");
		return found.equals(UNREADABLE) ? Mono.just(wrong)
				: this.store.isMissing(id).map((missing) -> missing ? lost : wrong);
	}

	private static String hashOf(String text) {
		try {
			return Picture.ofBase64(text).hash();
		}
		catch (IllegalArgumentException ex) {
			return UNREADABLE;
		}
	}

	/** A user with a hash must have a picture. */
	Mono<Finding> missing(String id, Map<String, String> fields) {
		return Mono.justOrEmpty(fields.get("picture"))
			.flatMap((hash) -> this.store.exists(Keys.picture(id))
				.filter((there) -> !there)
				.map((missing) -> finding(id, Keys.user(id), "has no picture " + hash, hash, "")));
	}

	private Finding finding(String id, String key, String what, String hash, String picture) {
		return Finding.repairable(key, what, "removes the user's picture",
				() -> this.repairs.discardPicture(id, hash, picture));
	}

}
