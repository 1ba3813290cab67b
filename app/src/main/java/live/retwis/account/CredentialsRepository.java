package live.retwis.account;

import java.util.List;

import live.retwis.redis.HashFields;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * Passwords and auth generations: the fields {@code password} and {@code auth} of
 * {@code user:{id}}. They decide who is logged in, so they are never cached.
 */
@Repository
class CredentialsRepository {

	private static final LuaScript REPLACE_PASSWORD = LuaScript.named("replace-password");

	private final ReactiveStringRedisTemplate redis;

	private final UsernameRepository usernames;

	CredentialsRepository(ReactiveStringRedisTemplate redis, UsernameRepository usernames) {
		this.redis = redis;
		this.usernames = usernames;
	}

	/** HMGET {@code user:{id}} password, auth, state. */
	Mono<StoredCredentials> find(String userId) {
		return HashFields.read(this.redis, Keys.user(userId), "password", "auth", "state")
			.filter((fields) -> fields.containsKey("password") && fields.containsKey("auth"))
			.map((fields) -> new StoredCredentials(userId, fields.get("password"), fields.get("auth"),
					AccountStateRepository.SUSPENDED.equals(fields.get("state"))));
	}

	/** {@link UsernameRepository#findId}, then {@link #find}. */
	Mono<StoredCredentials> findByUsername(String username) {
		return this.usernames.findId(username).flatMap(this::find);
	}

	/**
	 * {@code replace-password.lua}: encodes the same password in another way, unless the
	 * password was changed meanwhile.
	 */
	Mono<Void> replacePassword(StoredCredentials stored, String encoded) {
		return REPLACE_PASSWORD.run(this.redis, List.of(Keys.user(stored.userId())), stored.password(), encoded).then();
	}

}
