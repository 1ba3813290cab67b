package live.retwis.archive;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * That a page has to do without older posts, because the archive is away. It is noted in
 * an attribute of the page's request, and the page tells its reader.
 */
public final class OlderPostsAbsence {

	private static final String KEY = OlderPostsAbsence.class.getName();

	private OlderPostsAbsence() {
	}

	/**
	 * The context of the work for a page. It also has its {@link PageTimeLimit}.
	 * @param attributes the attributes of the page's request
	 */
	public static Context context(Map<String, @Nullable Object> attributes) {
		return Context.of(KEY, attributes, PageTimeLimit.class, new PageTimeLimit());
	}

	/** What is left without older posts. Notes that they are missing. */
	public static <T> Mono<T> without(T rest) {
		return without(rest, false);
	}

	/** The same for a search, and why they are missing. */
	static <T> Mono<T> without(T rest, ArchiveAwayException why) {
		return without(rest, why instanceof ArchiveSearchTooSlowException);
	}

	private static <T> Mono<T> without(T rest, boolean searchTooSlow) {
		return Mono.deferContextual((context) -> {
			context.<Map<String, Object>>getOrEmpty(KEY).ifPresent((attributes) -> attributes.put(KEY, searchTooSlow));
			return Mono.just(rest);
		});
	}

	/** The same if older posts are missing; else all. */
	public static <T> Mono<T> withoutIf(boolean missing, T rest) {
		return missing ? without(rest) : Mono.just(rest);
	}

	/** Whether older posts are missing on the page of a request with these attributes. */
	public static boolean isNoted(Map<String, @Nullable Object> attributes) {
		return attributes.containsKey(KEY);
	}

	/** Whether they are missing because they could not be searched in time. */
	public static boolean isSearchTooSlow(Map<String, @Nullable Object> attributes) {
		return Boolean.TRUE.equals(attributes.get(KEY));
	}

}
