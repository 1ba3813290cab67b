package live.retwis.live;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;

import live.retwis.live.StreamOutlet.Taken;
import live.retwis.log.LogEntry;
import live.retwis.restriction.HiddenAuthors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * One open stream: what it is for, and where its events go. Used on its outlet's thread
 * only.
 */
class OpenStream {

	private final StreamSelection interest;

	private final Executor executor;

	/**
	 * Null when the stream is over, so that lists that still hold this subscriber do not
	 * keep its socket in memory.
	 */
	private @Nullable StreamOutlet outlet;

	/** Entries of its viewer that came while the lists of the viewer were being read. */
	private List<LogEntry> early = new ArrayList<>(0);

	private State state = State.ANNOUNCED;

	/** The users whose posts its viewer does not see. */
	private HiddenAuthors hidden = HiddenAuthors.NOBODY;

	/** How many authors' posts it wants. */
	private int wanted;

	private long lastSent;

	/** When its lifetime is over, by {@link System#nanoTime}. */
	private long endsAt;

	OpenStream(StreamSelection interest, StreamOutlet outlet) {
		this.interest = interest;
		this.executor = outlet.executor();
		this.outlet = outlet;
	}

	StreamSelection interest() {
		return this.interest;
	}

	/** The thread of its outlet. */
	Executor executor() {
		return this.executor;
	}

	/**
	 * The body of the response that carries the stream. Call it before the stream can be
	 * over.
	 * @param left runs on the stream's thread when nobody reads it any more
	 */
	Flux<byte[]> body(Runnable left) {
		if (this.outlet == null) {
			left.run();
			return Flux.empty();
		}
		this.outlet.onClose(left);
		return this.outlet.body();
	}

	/**
	 * Starts live events. The lists of the viewer may be older than the entries that came
	 * while they were read, so those are applied to them.
	 * @param life nanoseconds until the stream ends by itself
	 * @return ids of the authors whose posts it wants from now on; empty for streams that
	 * are not of certain authors
	 */
	Set<String> attach(Collection<String> followed, long life) {
		long now = System.nanoTime();
		this.lastSent = now;
		this.endsAt = now + life;
		this.state = State.LIVE;
		Set<String> authors = new HashSet<>(followed);
		switch (this.interest.kind()) {
			case HOME, AUTHOR -> authors.add(this.interest.subject());
			case EVERYONE, TAG, CONVERSATION, VIEWER -> {
			}
		}
		for (LogEntry entry : this.early) {
			switch (entry.type()) {
				case FOLLOW -> authors.add(entry.other());
				case UNFOLLOW -> authors.remove(entry.other());
				default -> restricted(entry);
			}
		}
		this.early = List.of();
		return authors;
	}

	/** Keeps an entry of its viewer until it is live. */
	void keep(LogEntry entry) {
		this.early.add(entry);
	}

	/** Leaves out the posts of these users from now on. */
	void hide(HiddenAuthors authors) {
		this.hidden = this.interest.leftOut(authors);
	}

	/** Applies what its viewer did against another user, or took back. */
	void restricted(LogEntry entry) {
		hide(this.hidden.with(entry));
	}

	/** Whether it leaves out an entry that it would want otherwise. */
	boolean hides(FeedEntry entry) {
		return entry.isHidden(this.hidden);
	}

	/** Changes the number of authors whose posts it wants. */
	void wants(int more) {
		this.wanted += more;
	}

	int wanted() {
		return this.wanted;
	}

	/** Sends the replay first, unless the stream is already over. */
	void open(Replay replay) {
		if (this.outlet != null) {
			this.outlet.replay(replay);
		}
	}

	/**
	 * Sends an event.
	 * @param now the time, by {@link System#nanoTime}
	 */
	Taken send(byte[] frame, long now) {
		this.lastSent = now;
		return (this.outlet != null) ? this.outlet.write(frame) : Taken.OVER;
	}

	/** Ends the stream after sending what is in its buffer. */
	void end() {
		if (this.outlet != null) {
			this.outlet.end();
		}
		leave();
	}

	/** Ends the stream at once. */
	void cutOff() {
		if (this.outlet != null) {
			this.outlet.cutOff();
		}
		leave();
	}

	/** Marks the stream as over, because nobody reads it any more. */
	void leave() {
		this.state = State.OVER;
		this.outlet = null;
	}

	boolean isLive() {
		return this.state == State.LIVE;
	}

	boolean isOver() {
		return this.state == State.OVER;
	}

	/** Whether its lifetime is over. */
	boolean isOld(long now) {
		return this.endsAt - now <= 0;
	}

	/** Nanoseconds since the last event. */
	long quietFor(long now) {
		return now - this.lastSent;
	}

	private enum State {

		ANNOUNCED, LIVE, OVER

	}

}
