package live.retwis.importing;

import java.util.OptionalLong;

import live.retwis.account.UserRepository;
import live.retwis.delivery.ImportedPostDelivery;
import live.retwis.delivery.PostListenerNotifier;
import live.retwis.importing.ImportCounts.Kind;
import live.retwis.log.LogPosition;
import live.retwis.post.Post;
import live.retwis.redis.Cursor;
import live.retwis.redis.DataClock;
import live.retwis.redis.TimeSortedIdGenerator;
import live.retwis.text.TextNormalizer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Imports the posts: each with the time that it has, in the lists of its author, its tags
 * and those whom it mentions.
 */
@Component
class PostImport {

	private static final int CONCURRENCY = 64;

	private static final long SECOND = 1000;

	private final UserRepository users;

	private final ImportedPostDelivery lists;

	private final PostListenerNotifier listeners;

	private final DataClock clock;

	private final HighestImportedNumberRepository marks;

	PostImport(UserRepository users, ImportedPostDelivery lists, PostListenerNotifier listeners, DataClock clock,
			HighestImportedNumberRepository marks) {
		this.users = users;
		this.lists = lists;
		this.listeners = listeners;
		this.clock = clock;
		this.marks = marks;
	}

	/**
	 * Imports all posts. One that was imported before and is gone stays so. Their mark is
	 * set after the newest ones are in the public timeline.
	 * @param given the last number of a post that was given before the import began
	 * @param newest collects these
	 * @return lines that report it
	 */
	Flux<String> run(RetwisLayout layout, long given, ImportedUserIndex users, NewestPosts newest,
			ImportCounts counts) {
		return this.marks.beyond(Kind.POST, given,
				(mark) -> layout.posts()
					.flatMap((old) -> addNow(old, mark, users, newest, counts), CONCURRENCY)
					.concatWith(Mono.defer(() -> this.lists.publish(newest.oldestFirst())).then(Mono.empty())));
	}

	private Flux<String> addNow(RetwisPost old, HighestImportedNumber mark, ImportedUserIndex users, NewestPosts newest,
			ImportCounts counts) {
		return this.clock.millis().flatMapMany((now) -> add(old, now, mark, users, newest, counts));
	}

	private Flux<String> add(RetwisPost old, long now, HighestImportedNumber mark, ImportedUserIndex users,
			NewestPosts newest, ImportCounts counts) {
		OptionalLong author = RetwisNumber.parse(old.author());
		OptionalLong millis = RetwisTime.millis(old.time(), now);
		String body = cleaned(old.body());
		String label = "post " + old.number();
		if (author.isEmpty() || !users.contains(author.getAsLong())) {
			return counts.skipped(Kind.POST,
					label + " is by user '" + RetwisText.printable(old.author()) + "', who is no user here");
		}
		if (millis.isEmpty()) {
			return counts.skipped(Kind.POST, label + " has the time '" + RetwisText.printable(old.time()) + "'");
		}
		if (body.isEmpty()) {
			return counts.skipped(Kind.POST, label + " is blank");
		}
		if (old.isCut() || RetwisText.isLonger(body, RetwisPost.LONGEST)) {
			return counts.skipped(Kind.POST, label + " has more than 20,000 characters");
		}
		String id = TimeSortedIdGenerator.of(millis.getAsLong() / SECOND * SECOND, old.number());
		if (mark.pass(old.number())) {
			return report(this.lists.isThere(id), label + " is not here: deleted, or skipped by an earlier run",
					counts);
		}
		Mono<Boolean> added = this.users.findById(ImportedUserIndex.idOf(author.getAsLong()))
			.map((user) -> new Post(id, user.id(), user.username(), millis.getAsLong(), body, null, null, null))
			.filterWhen(this.lists::add)
			.delayUntil((post) -> this.listeners.posted(post, new LogPosition(post.created(), 0, "")))
			.doOnNext((post) -> newest.add(new Cursor(post.created(), post.id())))
			.hasElement();
		return report(added, label + " was deleted here", counts);
	}

	private static Flux<String> report(Mono<Boolean> here, String absent, ImportCounts counts) {
		return here.flatMapMany((there) -> there ? counts.done(Kind.POST) : counts.skipped(Kind.POST, absent));
	}

	/** Lines end with LF, and other control characters are spaces. */
	private static String cleaned(String body) {
		StringBuilder text = new StringBuilder();
		TextNormalizer.of(body)
			.codePoints()
			.map((character) -> TextNormalizer.isControl(character) ? ' ' : character)
			.forEach(text::appendCodePoint);
		return text.toString();
	}

}
