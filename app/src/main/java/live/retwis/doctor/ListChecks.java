package live.retwis.doctor;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import live.retwis.doctor.StoreReader.Member;
import live.retwis.redis.Keys;
import live.retwis.redis.RedisErrorClassifier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Rules that apply to many lists. */
@Component
class ListChecks {

	/** Members checked concurrently. Their commands share one connection. */
	private static final int CONCURRENCY = 64;

	private final StoreReader store;

	private final Repairs repairs;

	ListChecks(StoreReader store, Repairs repairs) {
		this.store = store;
		this.repairs = repairs;
	}

	/**
	 * Checks each member by itself. When another key that this needs has another type,
	 * that is a finding of its own.
	 */
	Flux<Finding> members(String key, Function<Member, Mono<Finding>> check) {
		return this.store.members(key)
			.flatMap((member) -> check.apply(member)
				.onErrorResume(RedisErrorClassifier::isWrongType, (wrong) -> Mono.empty()), CONCURRENCY);
	}

	/** The user who owns the list must exist. If not, no other rule is checked. */
	Flux<Finding> owner(String key, String userId) {
		return this.store.userExists(userId)
			.flatMapMany((there) -> there ? Flux.empty() : Flux.just(Finding.byHand(key,
					"its user " + userId + " does not exist", "restore the user or delete the list by hand")));
	}

	/** A list never holds more than its bound. */
	Flux<Finding> bound(String key, int most) {
		return bound(key, most, "removes the oldest", () -> this.repairs.trim(key, most));
	}

	/** A list never holds more than its bound, with another repair. */
	Flux<Finding> bound(String key, int most, String remedy, Supplier<Mono<Void>> repair) {
		return this.store.size(key)
			.flatMapMany((size) -> (size <= most) ? Flux.empty()
					: Flux.just(Finding.repairable(key, "holds more than " + most, remedy, repair)));
	}

	/**
	 * A member that is a user must exist. If the user has deleted the account, the
	 * workers still remove the member. A user who is lost keeps the place.
	 */
	Mono<Finding> userOf(String key, Member member) {
		return isTakenOut(member) ? Mono.empty() : this.store.mayBeUser(member.value())
			.flatMap((there) -> there ? Mono.empty() : Mono.just(without(key, member, "user").afterFanOut()));
	}

	/**
	 * A member that is a post must exist, because posts are stored before they are added
	 * to a list. It may have moved to the archive.
	 */
	Mono<Finding> postOf(String key, Member member) {
		return isTakenOut(member) ? Mono.empty() : this.store.postExists(member.value())
			.flatMap((there) -> there ? Mono.empty() : Mono.just(without(key, member, "post")));
	}

	/**
	 * The same for a list that nothing could make again. The post may come back from a
	 * backup, so its place stays.
	 */
	Mono<Finding> lastingPostOf(String key, Member member) {
		return postOf(key, member)
			.map((missing) -> Finding.byHand(key, missing.violation().what(), "restore the post or remove it by hand"));
	}

	/**
	 * In the list of an archived post, a score below zero stands for a member that is
	 * taken out of the list when it comes back from the archive.
	 */
	static boolean isTakenOut(Member member) {
		return member.score() < 0;
	}

	/** The list of a post that only the archive has moves there, too, if it is noted. */
	Mono<Finding> ofArchived(String key, String postId) {
		return this.store.isArchived(postId).filter(Boolean::booleanValue).flatMap((archived) -> noted(key, key));
	}

	/**
	 * A list of an archived post that is in Redis must be noted, or it stays for ever.
	 */
	Mono<Finding> noted(String key, String list) {
		return this.store.score(Keys.ARCHIVE_LISTS, list)
			.filter(Optional::isEmpty)
			.map((unnoted) -> Finding
				.repairable(key, "is a list of an archived post, but is not in " + Keys.ARCHIVE_LISTS, "adds it",
						() -> this.repairs.add(Keys.ARCHIVE_LISTS, list, 0))
				.afterFanOut());
	}

	/** A member that must not be in the list. The repair removes it. */
	Finding wrong(String key, Member member, String what) {
		return Finding.repairable(key, what, "removes it",
				() -> this.repairs.remove(key, member.value(), member.score()));
	}

	private Finding without(String key, Member member, String kind) {
		return wrong(key, member, "holds " + kind + " " + member.value() + ", which does not exist");
	}

}
