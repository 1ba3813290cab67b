package live.retwis.notification;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import live.retwis.redis.Cursor;
import live.retwis.redis.DataNodeCommands;
import live.retwis.redis.DeadlineScriptRunner;
import live.retwis.redis.Keys;
import live.retwis.redis.LuaScript;
import live.retwis.redis.SortedSetReader;
import live.retwis.removal.RemovalStep;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Repository;

/**
 * {@code notifications:{user}}: notifications by commit time. A second key, in the same
 * slot, has the time up to which the user has read them. Everything after it is unread.
 * When an account is deleted, others’ notifications of what that user did go when their
 * page is read.
 */
@Repository
@Order(RemovalStep.LAST)
public class NotificationRepository implements RemovalStep {

	/** Most notifications of one user; the oldest go. */
	public static final int MOST = 800;

	private static final LuaScript ADD = LuaScript.withDeadline("add-notification");

	private static final LuaScript REMOVE = LuaScript.withDeadline("remove-member");

	private static final LuaScript READ = LuaScript.named("read-notifications");

	/** Marks nothing as read. */
	private static final String[] NOTHING = { "0", "0" };

	private final DataNodeCommands data;

	private final SortedSetReader sortedSets;

	private final ReactiveStringRedisTemplate redis;

	private final DeadlineScriptRunner deadlines;

	NotificationRepository(DataNodeCommands data, SortedSetReader sortedSets, ReactiveStringRedisTemplate redis,
			DeadlineScriptRunner deadlines) {
		this.data = data;
		this.sortedSets = sortedSets;
		this.redis = redis;
		this.deadlines = deadlines;
	}

	/** {@code add-notification.lua}. */
	Mono<Void> add(String userId, Notification notification, long committed) {
		return this.deadlines
			.run(ADD, keys(userId), Integer.toString(MOST), Long.toString(committed), notification.member())
			.then();
	}

	/** {@code remove-member.lua} for each. */
	Mono<Void> remove(String userId, Collection<Notification> notifications) {
		return Flux.fromIterable(notifications)
			.concatMap((notification) -> this.deadlines.run(REMOVE, List.of(Keys.notifications(userId)),
					notification.member()))
			.then();
	}

	/** ZREVRANGE: all notifications of a user, newest first. */
	Mono<List<Cursor>> all(String userId) {
		return page(userId, Optional.empty(), MOST);
	}

	/** ZREVRANGEBYSCORE: a page of the notifications of a user, newest first. */
	Mono<List<Cursor>> page(String userId, Optional<Cursor> before, int count) {
		return this.sortedSets.highest(Keys.notifications(userId), before, count);
	}

	/** {@code read-notifications.lua}: marks nothing. */
	Mono<Unread> unread(String userId) {
		return markRead(userId, 0, 0);
	}

	/**
	 * {@code read-notifications.lua}: marks nothing when one came meanwhile that the user
	 * has not seen.
	 * @param time the ms up to which the user has read the notifications
	 * @param seen how many of them were unread
	 */
	Mono<Unread> markRead(String userId, long time, int seen) {
		return this.data.run(READ, keys(userId), Long.toString(time), Integer.toString(seen))
			.map((answer) -> new Unread(Long.parseLong(answer.get(0)), Long.parseLong(answer.get(1))));
	}

	/** {@code read-notifications.lua}, sent at once: how many the user has not read. */
	CompletableFuture<Long> count(String userId) {
		return this.data.sendScript(READ, keys(userId), NOTHING).thenApply((answer) -> Long.valueOf(answer.get(0)));
	}

	/** DEL of both keys. */
	Mono<Void> delete(String userId) {
		return this.redis.delete(keys(userId).toArray(String[]::new)).then();
	}

	@Override
	public Mono<Boolean> removeSome(String userId) {
		return delete(userId).thenReturn(true);
	}

	private static List<String> keys(String userId) {
		return List.of(Keys.notifications(userId), Keys.notificationsRead(userId));
	}

	/**
	 * What a user has not read.
	 *
	 * @param count how many notifications
	 * @param after they are newer than this ms
	 */
	record Unread(long count, long after) {
	}

}
