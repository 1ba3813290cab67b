package live.retwis.doctor;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * What the keys of one kind have in common.
 *
 * @param prefix prefix of the keys
 * @param rest accepts the part of a key after the prefix
 * @param type the Redis type; null for what is in the archive and not in Redis
 * @param life longest time to live; null for keys that live as long as what they describe
 * @param check the rules of these keys; it is given the part of the key after the prefix
 */
record KeySchema(String prefix, Predicate<String> rest, @Nullable String type, @Nullable Duration life,
		Function<String, Flux<Finding>> check) {

	/** Describes keys that live as long as what they describe. */
	KeySchema(String prefix, Predicate<String> rest, @Nullable String type, Function<String, Flux<Finding>> check) {
		this(prefix, rest, type, null, check);
	}

	/** Describes a single key. */
	static KeySchema single(String key, String type, Function<String, Flux<Finding>> check) {
		return new KeySchema(key, String::isEmpty, type, check);
	}

	boolean has(String key) {
		return key.startsWith(this.prefix) && this.rest.test(idOf(key));
	}

	String idOf(String key) {
		return key.substring(this.prefix.length());
	}

}
