package live.retwis.live;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import live.retwis.redis.LogEntry;

/**
 * All open streams of this instance, found by author, so that a post costs as many steps
 * as there are streams that want it. Used on the feed's thread only.
 */
class Audience {

	private final DeliveryTrace trace;

	private final Set<Subscriber> all = new LinkedHashSet<>();

	private final Set<Subscriber> everyone = new LinkedHashSet<>();

	private final Map<String, Set<Subscriber>> byAuthor = new HashMap<>();

	private final Map<String, Set<Subscriber>> homes = new HashMap<>();

	Audience(DeliveryTrace trace) {
		this.trace = trace;
	}

	/** A home stream is told of its user's follows from here on. */
	void announce(Subscriber subscriber) {
		if (subscriber.interest().kind() == Interest.Kind.HOME) {
			add(this.homes, subscriber.interest().userId(), subscriber);
		}
	}

	/** The stream gets live events from here on. */
	void join(Subscriber subscriber, Collection<String> followed) {
		subscriber.attach(followed);
		if (this.all.add(subscriber)) {
			this.trace.opened(subscriber.interest().kind());
		}
		if (subscriber.interest().kind() == Interest.Kind.EVERYONE) {
			this.everyone.add(subscriber);
		}
		subscriber.authors().forEach((author) -> add(this.byAuthor, author, subscriber));
	}

	/** The stream is over; also when it never joined. */
	void leave(Subscriber subscriber) {
		if (this.all.remove(subscriber)) {
			this.trace.closed(subscriber.interest().kind());
		}
		this.everyone.remove(subscriber);
		subscriber.authors().forEach((author) -> remove(this.byAuthor, author, subscriber));
		remove(this.homes, subscriber.interest().userId(), subscriber);
	}

	/** Tells those who want it of an entry. */
	void tell(FeedEntry entry) {
		switch (entry.entry().type()) {
			case POST -> {
				send(this.everyone, entry);
				send(this.byAuthor.getOrDefault(entry.entry().user(), Set.of()), entry);
			}
			case DELETE -> send(this.all, entry);
			case FOLLOW, UNFOLLOW -> follow(entry.entry());
			case AUTH -> List.copyOf(this.homes.getOrDefault(entry.entry().user(), Set.of())).forEach(this::end);
			default -> {
				// Nobody is told.
			}
		}
	}

	private void follow(LogEntry entry) {
		for (Subscriber home : this.homes.getOrDefault(entry.user(), Set.of())) {
			home.follow(entry);
			if (home.isAttached() && entry.type() == LogEntry.Type.FOLLOW) {
				add(this.byAuthor, entry.other(), home);
			}
			else if (home.isAttached()) {
				remove(this.byAuthor, entry.other(), home);
			}
		}
	}

	/** An event for every stream. */
	void sendToAll(byte[] frame) {
		send(this.all, frame);
	}

	/** An event for streams that were quiet for so long. */
	void sendToQuiet(byte[] frame, Duration quiet) {
		long now = System.nanoTime();
		send(this.all.stream().filter((one) -> one.quietFor(now) >= quiet.toNanos()).toList(), frame);
	}

	/** Ends the streams whose life is over. */
	void endOld(byte[] frame) {
		long now = System.nanoTime();
		end(this.all.stream().filter((one) -> one.isOld(now)).toList(), () -> frame);
	}

	/** Ends so many streams, those that opened first, each with a frame of its own. */
	void end(int streams, Supplier<byte[]> frame) {
		end(this.all.stream().limit(streams).toList(), frame);
	}

	private void end(List<Subscriber> streams, Supplier<byte[]> frame) {
		for (Subscriber subscriber : streams) {
			subscriber.offer(frame.get());
			end(subscriber);
		}
	}

	private void end(Subscriber subscriber) {
		leave(subscriber);
		subscriber.end();
	}

	private void send(Collection<Subscriber> subscribers, FeedEntry entry) {
		if (entry.frame() != null) {
			send(subscribers, entry.frame());
		}
	}

	private void send(Collection<Subscriber> subscribers, byte[] frame) {
		List<Subscriber> cutOff = subscribers.stream().filter((subscriber) -> !subscriber.offer(frame)).toList();
		cutOff.forEach(this::cutOff);
	}

	private void cutOff(Subscriber subscriber) {
		if (subscriber.isBehind()) {
			this.trace.cutOff();
		}
		leave(subscriber);
	}

	int size() {
		return this.all.size();
	}

	private static void add(Map<String, Set<Subscriber>> index, String key, Subscriber subscriber) {
		index.computeIfAbsent(key, (missing) -> new LinkedHashSet<>()).add(subscriber);
	}

	private static void remove(Map<String, Set<Subscriber>> index, String key, Subscriber subscriber) {
		index.computeIfPresent(key, (present, subscribers) -> {
			subscribers.remove(subscriber);
			return subscribers.isEmpty() ? null : subscribers;
		});
	}

}
