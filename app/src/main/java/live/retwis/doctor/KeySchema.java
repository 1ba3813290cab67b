package live.retwis.doctor;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Keys of one kind.
 *
 * @param prefix what their names begin with
 * @param rest what follows it in a name of this family
 * @param type of Redis
 * @param life how long such a key lives at most; null when as long as what it is about
 * @param check the family's own rules, given what follows the prefix
 */
record KeySchema(String prefix, Predicate<String> rest, String type, @Nullable Duration life,
		Function<String, Flux<Finding>> check) {

	/** Keys that live as long as what they are about. */
	KeySchema(String prefix, Predicate<String> rest, String type, Function<String, Flux<Finding>> check) {
		this(prefix, rest, type, null, check);
	}

	/** One key. */
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
