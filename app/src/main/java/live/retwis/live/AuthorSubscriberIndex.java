package live.retwis.live;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which streams want an author's posts. It needs four bytes for each author that a stream
 * wants, and some spare room. A stream that is over stays in the lists until they are
 * next read, so that closing a stream with thousands of authors is as fast as closing any
 * other. When half of all places belong to such streams, all lists are cleaned.
 */
class AuthorSubscriberIndex {

	/** Fewer stale places than this are not worth a cleaning. */
	private static final int FEW = 1024;

	private final Map<String, ArrayList<OpenStream>> streams = new HashMap<>();

	private int places;

	private int stale;

	/** The streams that want an author's posts, without those that are over. */
	List<OpenStream> of(String author) {
		ArrayList<OpenStream> wanting = this.streams.get(author);
		if (wanting == null) {
			return List.of();
		}
		clean(wanting);
		if (wanting.isEmpty()) {
			this.streams.remove(author);
		}
		return wanting;
	}

	private void clean(ArrayList<OpenStream> wanting) {
		int before = wanting.size();
		wanting.removeIf(OpenStream::isOver);
		this.places -= before - wanting.size();
		this.stale -= before - wanting.size();
	}

	/** Adds a new stream to the lists of all its authors. */
	void addAll(Collection<String> authors, OpenStream stream) {
		authors.forEach((author) -> list(author).add(stream));
		this.places += authors.size();
	}

	/**
	 * Adds a stream to an author's list.
	 * @return false when it was already there
	 */
	boolean add(String author, OpenStream stream) {
		ArrayList<OpenStream> wanting = list(author);
		if (wanting.contains(stream)) {
			return false;
		}
		this.places++;
		return wanting.add(stream);
	}

	private ArrayList<OpenStream> list(String author) {
		return this.streams.computeIfAbsent(author, (missing) -> new ArrayList<>(1));
	}

	/**
	 * Removes a stream from an author's list.
	 * @return false when it was not there
	 */
	boolean remove(String author, OpenStream stream) {
		ArrayList<OpenStream> wanting = this.streams.get(author);
		if (wanting == null || !wanting.remove(stream)) {
			return false;
		}
		this.places--;
		return true;
	}

	/**
	 * Counts the places of a stream that is over as stale.
	 * @param authors how many authors the stream wanted
	 */
	void forget(int authors) {
		this.stale += authors;
		if (this.stale > FEW && this.stale > this.places / 2) {
			this.streams.values().forEach(this::clean);
			this.streams.values().removeIf(List::isEmpty);
		}
	}

	/** Places in all lists, including the stale ones. */
	int places() {
		return this.places;
	}

}
