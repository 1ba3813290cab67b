package live.retwis.live;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

import live.retwis.live.StreamOutlet.Taken;
import live.retwis.log.LogEntry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open streams of one thread, indexed by author and by topic. So a post costs as many
 * steps as there are streams that want it. Used on that thread only.
 */
class LoopSubscribers {

	private static final Logger logger = LoggerFactory.getLogger(LoopSubscribers.class);

	/**
	 * Most streams that are told of counters because of a repost. Counters change often,
	 * and each of these streams costs some work each time.
	 */
	private static final int MOST_BY_REPOST = 2_000;

	private final DeliveryMetrics metrics;

	private final Set<OpenStream> all = new LinkedHashSet<>();

	private final Set<OpenStream> everyone = new LinkedHashSet<>();

	/** Streams that want a tag, a conversation, or the counts of some posts, by topic. */
	private final Map<String, Set<OpenStream>> topics = new HashMap<>();

	private final AuthorSubscriberIndex authors = new AuthorSubscriberIndex();

	/** Streams that a user looks at who is signed in, by user. */
	private final Map<String, List<OpenStream>> viewers = new HashMap<>();

	LoopSubscribers(DeliveryMetrics metrics) {
		this.metrics = metrics;
	}

	/**
	 * From now on, a stream is told of what its viewer does that changes what it shows.
	 */
	void announce(OpenStream subscriber) {
		if (!subscriber.interest().viewer().isEmpty()) {
			this.viewers.computeIfAbsent(subscriber.interest().viewer(), (missing) -> new ArrayList<>(1))
				.add(subscriber);
		}
	}

	/**
	 * From now on, the stream gets live events, unless it is already over.
	 * @param life nanoseconds until the stream ends by itself
	 * @return ids of the authors whose posts the stream wants
	 */
	Set<String> join(OpenStream subscriber, Collection<String> followed, long life) {
		if (subscriber.isOver()) {
			return Set.of();
		}
		Set<String> wanted = subscriber.attach(followed, life);
		this.all.add(subscriber);
		this.metrics.opened(subscriber.interest().kind());
		if (subscriber.interest().kind() == StreamSelection.Kind.EVERYONE) {
			this.everyone.add(subscriber);
		}
		subscriber.interest()
			.topics()
			.forEach((topic) -> this.topics.computeIfAbsent(topic, (missing) -> new LinkedHashSet<>()).add(subscriber));
		this.authors.addAll(wanted, subscriber);
		subscriber.wants(wanted.size());
		return wanted;
	}

	/** Removes a stream that is over. Also called for streams that never joined. */
	void leave(OpenStream subscriber) {
		subscriber.leave();
		if (this.all.remove(subscriber)) {
			this.metrics.closed(subscriber.interest().kind());
			this.authors.forget(subscriber.wanted());
		}
		this.everyone.remove(subscriber);
		subscriber.interest().topics().forEach((topic) -> removeFrom(this.topics, topic, subscriber));
		removeFrom(this.viewers, subscriber.interest().viewer(), subscriber);
	}

	private static <C extends Collection<OpenStream>> void removeFrom(Map<String, C> index, String key,
			OpenStream subscriber) {
		index.computeIfPresent(key, (same, streams) -> {
			streams.remove(subscriber);
			return streams.isEmpty() ? null : streams;
		});
	}

	/**
	 * Sends an entry to the streams that want it.
	 * @return whether any stream wants it
	 */
	boolean tell(FeedEntry entry) {
		LogEntry logged = entry.entry();
		return switch (logged.type()) {
			case POST, COUNTS -> entry.frame() != null && sendToInterested(entry, entry.frame());
			case PROFILE ->
				entry.frame() != null && send(this.all, (subscriber) -> !subscriber.hides(entry), entry.frame());
			case DELETE -> entry.frame() != null && send(this.all, entry.frame());
			case RESTORED -> entry.frame() != null
					&& send(this.all, (subscriber) -> subscriber.interest().showsPosts(), entry.frame());
			case NOTIFY -> entry.frame() != null && send(streamsOf(logged.user()), OpenStream::isLive, entry.frame());
			case FOLLOW, UNFOLLOW -> {
				homesOf(logged.user()).forEach((home) -> follow(home, logged));
				yield false;
			}
			case MUTE, UNMUTE, BLOCK, UNBLOCK -> {
				List<OpenStream> streams = streamsOf(logged.user());
				streams.forEach((stream) -> restrict(stream, logged));
				yield entry.frame() != null && send(streams,
						(stream) -> stream.isLive() && stream.interest().wants(Set.of(), entry), entry.frame());
			}
			case AUTH -> {
				// Browsers whose session goes on open their streams again.
				streamsOf(logged.user()).forEach(this::end);
				yield false;
			}
			case CLOSED, SUSPENDED -> {
				boolean told = entry.frame() != null && send(this.all, entry.frame());
				streamsOf(logged.user()).forEach(this::end);
				if (logged.type() == LogEntry.Type.CLOSED) {
					profilesOf(logged.user()).forEach(this::end);
				}
				yield told;
			}
			default -> false;
		};
	}

	/**
	 * The same rule as {@link StreamSelection#wants}, for all streams at once, and with a
	 * bound on those of reposts.
	 */
	private boolean sendToInterested(FeedEntry entry, byte[] frame) {
		Set<OpenStream> others = new LinkedHashSet<>();
		entry.topics().forEach((topic) -> others.addAll(this.topics.getOrDefault(topic, Set.of())));
		addByRepost(entry, others);
		List<OpenStream> followers = this.authors.of(entry.entry().user());
		if (!others.isEmpty()) {
			followers.forEach(others::remove);
		}
		Predicate<OpenStream> shows = (subscriber) -> !subscriber.hides(entry)
				&& subscriber.interest().isRecentEnough(entry.entry());
		Collection<OpenStream> everyone = entry.entry().repostOf().isEmpty() ? this.everyone : Set.of();
		return send(everyone, shows, frame) | send(followers, shows, frame) | send(others, shows, frame);
	}

	private void addByRepost(FeedEntry entry, Set<OpenStream> others) {
		int left = MOST_BY_REPOST;
		for (String reposter : entry.reposters()) {
			for (OpenStream follower : this.authors.of(reposter)) {
				if (left == 0) {
					return;
				}
				left -= others.add(follower) ? 1 : 0;
			}
		}
	}

	private List<OpenStream> streamsOf(String viewer) {
		return List.copyOf(this.viewers.getOrDefault(viewer, List.of()));
	}

	private List<OpenStream> homesOf(String user) {
		return streamsOf(user).stream()
			.filter((stream) -> stream.interest().kind() == StreamSelection.Kind.HOME)
			.toList();
	}

	private List<OpenStream> profilesOf(String user) {
		return this.authors.of(user)
			.stream()
			.filter((stream) -> stream.interest().kind() == StreamSelection.Kind.AUTHOR)
			.toList();
	}

	private void follow(OpenStream home, LogEntry entry) {
		if (!home.isLive()) {
			home.keep(entry);
		}
		else if (entry.type() == LogEntry.Type.FOLLOW) {
			home.wants(this.authors.add(entry.other(), home) ? 1 : 0);
		}
		else {
			home.wants(this.authors.remove(entry.other(), home) ? -1 : 0);
		}
	}

	private static void restrict(OpenStream stream, LogEntry entry) {
		if (stream.isLive()) {
			stream.restricted(entry);
		}
		else {
			stream.keep(entry);
		}
	}

	/** Sends an event to the streams that got nothing for at least this long. */
	void sendToQuiet(byte[] frame, Duration quiet) {
		long now = System.nanoTime();
		send(this.all.stream().filter((one) -> one.quietFor(now) >= quiet.toNanos()).toList(), frame);
	}

	/** Ends the streams whose lifetime is over. */
	void endOld(byte[] frame) {
		long now = System.nanoTime();
		end(this.all.stream().filter((one) -> one.isOld(now)).toList(), () -> frame);
	}

	/** Ends this many streams, oldest first, each with its own frame. */
	void end(int streams, Supplier<byte[]> frame) {
		end(this.all.stream().limit(streams).toList(), frame);
	}

	/**
	 * Ends all streams, each with its own frame. Those that have not joined yet end
	 * without one, because they may have read lists that are not right any more.
	 */
	void endAll(Supplier<byte[]> frame) {
		end(this.all.size(), frame);
		this.viewers.values().stream().flatMap(List::stream).toList().forEach(this::end);
	}

	private void end(List<OpenStream> streams, Supplier<byte[]> frame) {
		long now = System.nanoTime();
		for (OpenStream subscriber : streams) {
			subscriber.send(frame.get(), now);
			end(subscriber);
		}
	}

	private void end(OpenStream subscriber) {
		subscriber.end();
		leave(subscriber);
	}

	/**
	 * Ends all streams at once, including those that have not joined yet. Their browsers
	 * reconnect with their positions.
	 */
	void cutOff() {
		Set<OpenStream> streams = new LinkedHashSet<>(this.all);
		this.viewers.values().forEach(streams::addAll);
		streams.forEach(this::cutOff);
	}

	/** Ends one stream. A failure must not keep the other streams from being ended. */
	private void cutOff(OpenStream subscriber) {
		try {
			subscriber.cutOff();
		}
		catch (RuntimeException | Error ex) {
			logger.error("A stream could not be cut off", ex);
		}
		leave(subscriber);
		this.metrics.cutOff();
	}

	private boolean send(Collection<OpenStream> subscribers, byte[] frame) {
		return send(subscribers, (subscriber) -> true, frame);
	}

	private boolean send(Collection<OpenStream> subscribers, Predicate<OpenStream> wanted, byte[] frame) {
		long now = System.nanoTime();
		List<OpenStream> lost = new ArrayList<>(0);
		for (OpenStream subscriber : subscribers) {
			if (!wanted.test(subscriber)) {
				continue;
			}
			Taken taken = subscriber.send(frame, now);
			if (taken != Taken.YES) {
				lost.add(subscriber);
			}
			if (taken == Taken.CUT_OFF) {
				this.metrics.cutOff();
			}
		}
		lost.forEach(this::leave);
		return !subscribers.isEmpty();
	}

	int size() {
		return this.all.size();
	}

}
