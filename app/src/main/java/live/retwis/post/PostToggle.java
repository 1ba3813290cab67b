package live.retwis.post;

import java.util.List;

import live.retwis.i18n.Message;
import live.retwis.limit.RateLimit;
import live.retwis.web.Viewer;
import reactor.core.publisher.Mono;

/**
 * Something that a user can do to a post by a button, at most once, and take back. Each
 * feature that has such a button implements it.
 */
public interface PostToggle {

	/** Last part of the address that does it ({@code true}), or takes it back. */
	String action(boolean on);

	/** Label of the button that does it ({@code true}), or takes it back. */
	Message label(boolean on);

	/** How often a user may do it and take it back. */
	RateLimit limit();

	/** Name of {@link #among} in JSON. */
	String name();

	/**
	 * Does it ({@code true}), or takes it back. Doing it twice changes nothing.
	 * @return false when it is known that this changed nothing;
	 * {@link live.retwis.log.LogAdmissionControl.NotAdmittedException} when too many
	 * entries wait for fan-out; {@link live.retwis.redis.DataNodeFullException} when it
	 * needs room and a data node is nearly full
	 */
	Mono<Boolean> set(Viewer viewer, Post post, boolean on);

	/** Of these posts, those to which the user has done it. */
	Mono<List<String>> among(String userId, List<String> postIds);

}
