package live.retwis.account;

import live.retwis.picture.Picture;
import live.retwis.redis.DataNodeCommands;
import live.retwis.redis.Keys;
import live.retwis.redis.TimeSortedIdGenerator;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Repository;

/**
 * Reads the pictures that users have uploaded: {@code {user:{id}}:picture}. Users who are
 * gone or suspended have none. {@link UserRepository} stores a picture and its hash.
 */
@Repository
public class StoredPictureReader {

	private final DataNodeCommands data;

	private final UserRepository users;

	private final SuspendedAccountsCache suspended;

	StoredPictureReader(DataNodeCommands data, UserRepository users, SuspendedAccountsCache suspended) {
		this.data = data;
		this.users = users;
		this.suspended = suspended;
	}

	/** HMGET: whether the user has an uploaded picture with this content hash. */
	Mono<Boolean> has(String userId, String hash) {
		return shown(userId).flatMap((user) -> this.data.hmget(Keys.user(userId), "picture"))
			.map((fields) -> hash.equals(fields.get("picture")))
			.defaultIfEmpty(false);
	}

	/** GET {@code {user:{id}}:picture}; empty when the user has none. */
	public Mono<Picture> find(String userId) {
		return shown(userId).flatMap((user) -> this.data.get(Keys.picture(userId))).map(Picture::ofBase64);
	}

	private Mono<User> shown(String userId) {
		return (!TimeSortedIdGenerator.isValid(userId) || this.suspended.contains(userId)) ? Mono.empty()
				: this.users.findById(userId);
	}

}
