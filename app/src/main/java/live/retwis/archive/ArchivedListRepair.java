package live.retwis.archive;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import live.retwis.archive.ArchivedLikesAndRepliesRepository.ArchivedList;
import live.retwis.redis.DataClock;
import live.retwis.redis.Keys;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.stereotype.Component;

/**
 * Makes the archived lists agree with what has come back, after Redis has lost its data.
 * Users and posts that are lost leave the lists. Users who are there get their likes
 * back. It can be repeated.
 */
@Component
public class ArchivedListRepair {

	/** Lists read at once. */
	private static final int BATCH = 100;

	/** Members looked up at once. */
	private static final int CONCURRENCY = 64;

	private static final String LIKES = "likes";

	private final ArchivedLikesAndRepliesRepository lists;

	private final ArchivedPostRepository posts;

	private final ReactiveStringRedisTemplate redis;

	private final DataClock clock;

	ArchivedListRepair(ArchivedLikesAndRepliesRepository lists, ArchivedPostRepository posts,
			ReactiveStringRedisTemplate redis, DataClock clock) {
		this.lists = lists;
		this.posts = posts;
		this.redis = redis;
		this.clock = clock;
	}

	/**
	 * Goes through all lists.
	 * @param isUser whether there is a user with an id
	 * @return how many lists there were
	 */
	public Mono<Long> run(Function<String, Mono<Boolean>> isUser) {
		return this.lists.names("", BATCH)
			.expand((names) -> (names.size() < BATCH) ? Mono.empty()
					: this.lists.names(names.get(names.size() - 1), BATCH))
			.concatMap((names) -> this.lists.readBack(names)
				.flatMapIterable(Map::entrySet)
				.concatMap((list) -> restore(list.getKey(), list.getValue(), isUser).thenReturn(list)), 1)
			.count();
	}

	private Mono<Void> restore(String name, String members, Function<String, Mono<Boolean>> isUser) {
		String kind = name.substring(0, name.indexOf(':'));
		String post = name.substring(name.indexOf(':') + 1);
		List<Member> all = Member.parse(members);
		return (kind.equals(LIKES) ? users(all, isUser) : posts(all)).flatMap((kept) -> this.clock.millis()
			.flatMap((now) -> this.lists.save(List.of(new ArchivedList(name, Member.text(kept), now)), Long.MAX_VALUE))
			.then(this.posts.setCountInBackground(post, kind, kept.size()))
			.thenMany(Flux.fromIterable(kind.equals(LIKES) ? kept : List.<Member>of()))
			.flatMap((user) -> this.redis.opsForZSet().add(Keys.liked(user.id()), post, user.score()), CONCURRENCY)
			.then());
	}

	private static Mono<List<Member>> users(List<Member> all, Function<String, Mono<Boolean>> isUser) {
		return Flux.fromIterable(all)
			.flatMapSequential(
					(member) -> isUser.apply(member.id()).filter(Boolean::booleanValue).map((there) -> member),
					CONCURRENCY)
			.collectList();
	}

	private Mono<List<Member>> posts(List<Member> all) {
		return this.posts.readBack(all.stream().map(Member::id).toList()).map((found) -> {
			Set<String> there = new HashSet<>(found.keySet());
			return all.stream().filter((member) -> there.contains(member.id())).toList();
		});
	}

	/**
	 * A member of a list.
	 *
	 * @param id id of the user or of the post
	 * @param millis when it came into the list, in ms, as the list has it
	 */
	private record Member(String id, String millis) {

		static List<Member> parse(String members) {
			List<String> parts = Arrays.asList(members.split(" "));
			List<Member> all = new ArrayList<>();
			for (int i = 0; i + 1 < parts.size(); i += 2) {
				all.add(new Member(parts.get(i), parts.get(i + 1)));
			}
			return all;
		}

		static String text(List<Member> members) {
			return String.join(" ", members.stream().map((member) -> member.id() + " " + member.millis()).toList());
		}

		double score() {
			return Double.parseDouble(this.millis);
		}

	}

}
