package live.retwis.doctor;

import java.util.List;

import live.retwis.doctor.StoreReader.Member;
import live.retwis.notification.Notification;
import live.retwis.notification.NotificationRepository;
import live.retwis.redis.Keys;
import live.retwis.redis.TimeSortedIdGenerator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Notifications: the user exists, and the list keeps its bound. Until a page reads it,
 * the list may hold notifications about deleted posts and users.
 */
@Component
class NotificationRules implements RuleSet {

	/** Prefix of the marks up to which notifications are read. */
	private static final String READ_PREFIX = "{" + Keys.notifications("");

	private static final String READ_SUFFIX = "}:read";

	private final ListChecks lists;

	NotificationRules(ListChecks lists) {
		this.lists = lists;
	}

	@Override
	public List<KeySchema> keySchemas() {
		return List.of(
				new KeySchema(Keys.notifications(""), TimeSortedIdGenerator::isValid, "zset", this::notifications),
				new KeySchema(READ_PREFIX, (rest) -> TimeSortedIdGenerator.isValid(userOf(rest)), "string",
						this::read));
	}

	private Flux<Finding> notifications(String userId) {
		String key = Keys.notifications(userId);
		return this.lists.owner(key, userId)
			.switchIfEmpty(this.lists.bound(key, NotificationRepository.MOST)
				.concatWith(this.lists.members(key, (member) -> form(key, member))));
	}

	private Mono<Finding> form(String key, Member member) {
		return Notification.parse(member.value()).isPresent() ? Mono.empty()
				: Mono.just(this.lists.wrong(key, member, "holds " + member.value() + ", which is no notification"));
	}

	private Flux<Finding> read(String rest) {
		return this.lists.owner(READ_PREFIX + rest, userOf(rest));
	}

	private static String userOf(String rest) {
		return rest.endsWith(READ_SUFFIX) ? rest.substring(0, rest.length() - READ_SUFFIX.length()) : "";
	}

}
