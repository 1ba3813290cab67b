package live.retwis.faults;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import live.retwis.log.LogEntry;
import live.retwis.testing.Answer;
import live.retwis.testing.Visitor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The users of a workload: four authors and eighteen streams. Eight of the streams are
 * home streams. Of the streams of one author, of everyone, of a tag and of a conversation
 * there are two each. Two more are the home streams of the users whom posts mention: of
 * an author, and of a user who has blocked another author. Some readers have muted or
 * blocked an author, so that neither the author's posts nor reposts of them may come.
 * Four more readers mute or block an author in the middle of each workload.
 *
 * @param authors users who write
 * @param conversation ids of a post, of a reply to it, and of a reply to that: the posts
 * to which they reply
 * @param subscriptions streams that are read
 * @param authorOf author of each acknowledged post, by their ids
 * @param block the block of an author who goes on to mention the blocker
 */
record WorkloadPeople(List<Visitor> authors, List<String> conversation, List<Subscription> subscriptions,
		Map<String, String> authorOf, Block block) {

	/** The tag that some of the posts have. */
	static final String TAG = "faults";

	private static final int STREAMS = 16;

	private static final int AUTHORS = 4;

	/** Registers the users. Each reader of a home stream follows random authors. */
	static WorkloadPeople register(LoadBalancer balancer, Random random) {
		List<Visitor> authors = IntStream.range(0, AUTHORS)
			.mapToObj((i) -> Visitor.registered(balancer.any(random)))
			.toList();
		authors.forEach((author) -> author.get("/home"));
		List<String> conversation = conversation(authors);
		Map<String, String> authorOf = new ConcurrentHashMap<>();
		List<Subscription> subscriptions = new ArrayList<>();
		for (int i = 0; i < STREAMS; i++) {
			Visitor author = authors.get(i / (STREAMS / AUTHORS));
			Reader reader = new Reader(Visitor.registered(balancer.any(random)), authorOf);
			if (i % 3 != 1 && i % 8 != 4) {
				reader.hide(authors.get(random.nextInt(AUTHORS)), random.nextBoolean() ? "mute" : "block");
			}
			subscriptions.add(switch (i % 8) {
				case 0, 1, 2, 3 -> home(reader, random, authors, author);
				case 4 -> reader.of("/live/@" + author.name(), by(Set.of(author.id())));
				case 5 -> reader.of("/live/public", (post) -> post.repostOf().isEmpty());
				case 6 -> reader.of("/live/tags/" + TAG, (post) -> post.tags().contains(TAG));
				default -> reader.of("/live/posts/" + conversation.get(0), isIn(conversation));
			});
		}
		Visitor mentioned = authors.get(0);
		subscriptions.add(new Subscription("/live/home", mentioned, by(Set.of(mentioned.id())), LateRestriction.NONE));
		Block block = Block.of(new Reader(Visitor.registered(balancer.any(random)), authorOf),
				authors.get(AUTHORS - 1));
		subscriptions.add(new Subscription("/live/home", block.blocker(), by(Set.of(block.blocker().id())),
				LateRestriction.NONE));
		return new WorkloadPeople(authors, conversation, subscriptions, authorOf, block);
	}

	/** No fail-over loses them, because they are made before the workload. */
	private static List<String> conversation(List<Visitor> authors) {
		String question = authors.get(0).post("What breaks?");
		String answer = authors.get(1).reply(question, "Something always does.");
		return List.of(question, answer, authors.get(2).reply(answer, "And what is lost?"));
	}

	/**
	 * Registers four more readers: of a home stream with all authors, of the public
	 * stream, of the tag and of the conversation. Each mutes or blocks a random author
	 * later, and every second one takes that back. The reader of the home stream then
	 * mutes, because a block also ends the follow, for good.
	 */
	List<RestrictingReader> restricting(LoadBalancer balancer, Random random) {
		List<Map.Entry<String, Predicate<LogEntry>>> streams = List.of(Map.entry("/live/home", (post) -> true),
				Map.entry("/live/public", (post) -> post.repostOf().isEmpty()),
				Map.entry("/live/tags/" + TAG, (post) -> post.tags().contains(TAG)),
				Map.entry("/live/posts/" + this.conversation.get(0), isIn(this.conversation)));
		int ending = random.nextInt(2);
		return IntStream.range(0, streams.size()).mapToObj((i) -> {
			Map.Entry<String, Predicate<LogEntry>> stream = streams.get(i);
			boolean ends = i % 2 == ending;
			Visitor reader = Visitor.registered(balancer.any(random));
			this.authors.forEach(reader::follow);
			Visitor author = this.authors.get(random.nextInt(AUTHORS));
			return new RestrictingReader(
					new Subscription(stream.getKey(), reader, stream.getValue(),
							new LateRestriction(reader.id(), author.id(), this.authorOf, LateRestriction.End.NEVER)),
					author, ((i == 0 && ends) || random.nextBoolean()) ? "mute" : "block", ends);
		}).toList();
	}

	/** The posts and reposts of these authors. */
	static Predicate<LogEntry> by(Set<String> authors) {
		return (post) -> authors.contains(post.user());
	}

	/** The replies to any post of a conversation. */
	private static Predicate<LogEntry> isIn(List<String> conversation) {
		return (post) -> post.replyTo().filter(conversation::contains).isPresent();
	}

	private static Subscription home(Reader reader, Random random, List<Visitor> authors, Visitor one) {
		Set<Visitor> followed = new HashSet<>(Set.of(one));
		authors.stream().filter((author) -> random.nextBoolean()).forEach(followed::add);
		followed.stream().filter(reader::mayFollow).forEach(reader.visitor()::follow);
		return reader.of("/live/home", by(followed.stream().map(Visitor::id).collect(Collectors.toUnmodifiableSet())));
	}

	/** A user who reads, and who may have muted or blocked an author. */
	private static final class Reader {

		private final Visitor visitor;

		private final Map<String, String> authorOf;

		private String hidden = "";

		private boolean blocks;

		Reader(Visitor visitor, Map<String, String> authorOf) {
			this.visitor = visitor;
			this.authorOf = authorOf;
		}

		Visitor visitor() {
			return this.visitor;
		}

		/** Presses the button {@code mute} or {@code block} on the author's profile. */
		void hide(Visitor author, String button) {
			this.visitor.get("/@" + author.name());
			assertThat(this.visitor.submit("/@" + author.name() + "/" + button).status()).isEqualTo(303);
			this.hidden = author.id();
			this.blocks = button.equals("block");
		}

		boolean mayFollow(Visitor author) {
			return !this.blocks || !author.id().equals(this.hidden);
		}

		/** A stream of those of the posts that the reader does not hide. */
		Subscription of(String path, Predicate<LogEntry> posts) {
			return new Subscription(path, this.visitor, posts.and((post) -> !post.user().equals(this.hidden)
					&& post.repostOf().filter((original) -> this.hidden.equals(this.authorOf.get(original))).isEmpty()),
					LateRestriction.NONE);
		}

	}

	/**
	 * Somebody has blocked an author.
	 *
	 * @param blocker who that is
	 * @param author the blocked author
	 * @param post id of a post of the blocker, to which the author tries to react
	 */
	record Block(Visitor blocker, Visitor author, String post) {

		private static Block of(Reader reader, Visitor author) {
			String post = reader.visitor().post("Who may answer?");
			reader.hide(author, "block");
			return new Block(reader.visitor(), author, post);
		}

	}

	/**
	 * A stream that somebody reads.
	 *
	 * @param path path of the stream
	 * @param visitor visitor whose session is used
	 * @param posts the posts that belong to the stream
	 * @param restriction whom the visitor mutes or blocks in the middle of a workload
	 */
	record Subscription(String path, Visitor visitor, Predicate<LogEntry> posts, LateRestriction restriction) {
	}

}
