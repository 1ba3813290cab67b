package live.retwis.live;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import live.retwis.account.UsernameRepository;
import live.retwis.follow.FollowRepository;
import live.retwis.log.CommitLog;
import live.retwis.log.LogEntry;
import live.retwis.log.LogPosition;
import live.retwis.restriction.HiddenAuthors;
import live.retwis.restriction.HiddenAuthorsCache;
import live.retwis.text.HashtagRules;
import live.retwis.web.Viewer;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;

/**
 * Reads from the log which posts a stream had to bring between two positions. So a page
 * can tell whether its stream has lost some. Reposts are left out, and of a conversation
 * everything but the direct replies, as its page does.
 */
@Component
public class ExpectedStreamPosts {

	/** Most entries of the log that are read for one answer. */
	static final int MOST = 10_000;

	/** Entries in which the newest post of a stream is looked for. */
	public static final int LATEST = 200;

	private static final Pattern STREAM = Pattern.compile("/live/(home|public|@(\\w+)|tags/([^/]+)|posts/(\\w+))");

	private final CommitLog log;

	private final FollowRepository follows;

	private final HiddenAuthorsCache hidden;

	private final UsernameRepository usernames;

	ExpectedStreamPosts(CommitLog log, FollowRepository follows, HiddenAuthorsCache hidden,
			UsernameRepository usernames) {
		this.log = log;
		this.follows = follows;
		this.hidden = hidden;
		this.usernames = usernames;
	}

	/**
	 * The posts of a stream: XRANGE of the log from the first position to its end.
	 * @param stream address of the stream, as the page opens it
	 * @param viewer who looks at the page
	 * @param after the position that the page began with, exclusive
	 * @param until the position that the page has come to, inclusive
	 * @return empty when there is no such stream for this viewer
	 */
	public Mono<Posts> between(String stream, Optional<Viewer> viewer, LogPosition after, LogPosition until) {
		return interest(stream, viewer).flatMap((wanted) -> this.log.between(after.entryId(), "+")
			.take(MOST + 1L)
			.collectList()
			.map((entries) -> posts(wanted, entries, after, until)));
	}

	/**
	 * The newest post that a stream brings: XREVRANGE of the log.
	 * @param stream address of the stream, as the page opens it
	 * @param viewer who looks at the page
	 * @return empty when there is no such stream for this viewer, or none of the latest
	 * {@value #LATEST} entries is such a post
	 */
	public Mono<LogEntry> newest(String stream, Optional<Viewer> viewer) {
		return interest(stream, viewer).flatMap((wanted) -> this.log.latest(LATEST).flatMap((entries) -> {
			Set<String> withdrawn = wanted.withdrawnBy(entries);
			return Mono.justOrEmpty(entries.stream()
				.filter(ExpectedStreamPosts::isCounted)
				.filter((entry) -> !withdrawn.contains(entry.post()) && !withdrawn.contains(entry.user()))
				.filter(wanted::includes)
				.findFirst());
		}));
	}

	private static boolean isCounted(LogEntry entry) {
		return entry.type() == LogEntry.Type.POST && entry.repostOf().isEmpty();
	}

	private Mono<Interest> interest(String stream, Optional<Viewer> viewer) {
		Matcher path = STREAM.matcher(stream.replaceFirst("\\?.*", ""));
		if (!path.matches()) {
			return Mono.empty();
		}
		String viewerId = viewer.map(Viewer::id).orElse("");
		return filter(path, viewerId).flatMap((filter) -> authors(filter).zipWith(hidden(viewerId),
				(authors, hidden) -> new Interest(filter.since(since(stream)), authors, hidden, viewerId)));
	}

	private Mono<StreamSelection> filter(Matcher path, String viewerId) {
		if (path.group(2) != null) {
			return this.usernames.findId(path.group(2)).map(StreamSelection::author);
		}
		if (path.group(3) != null) {
			return Mono.fromSupplier(() -> HashtagRules.fold(UriUtils.decode(path.group(3), "UTF-8")))
				.map(StreamSelection::tag)
				.onErrorComplete(IllegalArgumentException.class);
		}
		if (path.group(4) != null) {
			return Mono.just(StreamSelection.conversation(path.group(4)));
		}
		return path.group(1).equals("public") ? Mono.just(StreamSelection.everyone())
				: Mono.just(viewerId).filter((id) -> !id.isEmpty()).map(StreamSelection::home);
	}

	private static long since(String stream) {
		String since = UriComponentsBuilder.fromUriString(stream).build().getQueryParams().getFirst("since");
		return (since != null && since.matches("\\d{1,15}")) ? Long.parseLong(since) : 0;
	}

	private Mono<Set<String>> authors(StreamSelection filter) {
		return (filter.kind() == StreamSelection.Kind.HOME)
				? this.follows.allFollowed(filter.subject()).map((followed) -> {
					Set<String> authors = new HashSet<>(followed);
					authors.add(filter.subject());
					return authors;
				}) : Mono.just(Set.of(filter.subject()));
	}

	private Mono<HiddenAuthors> hidden(String viewerId) {
		return viewerId.isEmpty() ? Mono.just(HiddenAuthors.NOBODY) : this.hidden.of(viewerId);
	}

	private static Posts posts(Interest wanted, List<LogEntry> entries, LogPosition after, LogPosition until) {
		boolean cut = entries.isEmpty() || !entries.get(0).position().equals(after);
		boolean whole = entries.size() <= MOST;
		List<LogEntry> later = entries.stream().filter((entry) -> entry.position().compareTo(after) > 0).toList();
		Set<String> withdrawn = wanted.withdrawnBy(later);
		List<String> expected = new ArrayList<>();
		List<String> possible = new ArrayList<>();
		later.stream()
			.filter(ExpectedStreamPosts::isCounted)
			.filter((entry) -> entry.position().compareTo(until) <= 0)
			.forEach((entry) -> {
				boolean doubtful = withdrawn.contains(entry.post()) || withdrawn.contains(entry.user());
				if (doubtful) {
					possible.add(entry.post());
				}
				else if (wanted.includes(entry)) {
					expected.add(entry.post());
				}
			});
		return new Posts(expected, possible, whole, cut);
	}

	/**
	 * What a stream had to bring.
	 *
	 * @param expected ids of the posts, in the order of the log
	 * @param possible ids of posts that it may have brought: they were deleted later, or
	 * the viewer followed, muted or blocked their author meanwhile, or no longer did
	 * @param whole whether the log was read to its end; else there were too many entries
	 * @param cut whether the log no longer has the first position: it was trimmed, or
	 * lost entries in a fail-over
	 */
	public record Posts(List<String> expected, List<String> possible, boolean whole, boolean cut) {
	}

	private record Interest(StreamSelection filter, Set<String> authors, HiddenAuthors hidden, String viewerId) {

		boolean includes(LogEntry entry) {
			return entry.position().millis() >= this.filter.since() && !this.hidden.contains(entry.user())
					&& switch (this.filter.kind()) {
						case HOME, AUTHOR -> this.authors.contains(entry.user());
						case EVERYONE -> true;
						case TAG -> entry.tags().contains(this.filter.subject());
						case CONVERSATION -> entry.replyTo().filter(this.filter.subject()::equals).isPresent();
						case VIEWER -> false;
					};
		}

		/** The posts and authors about which the entries leave it open. */
		Set<String> withdrawnBy(List<LogEntry> entries) {
			return entries.stream().flatMap((entry) -> withdrawnBy(entry).stream()).collect(Collectors.toSet());
		}

		/** The posts and authors about which the entry leaves it open. */
		List<String> withdrawnBy(LogEntry entry) {
			return switch (entry.type()) {
				case DELETE -> List.of(entry.post());
				case CLOSED, SUSPENDED, RESTORED -> List.of(entry.user());
				case FOLLOW, UNFOLLOW, MUTE, UNMUTE, BLOCK, UNBLOCK ->
					entry.user().equals(this.viewerId) ? List.of(entry.other()) : List.of();
				default -> List.of();
			};
		}

	}

}
